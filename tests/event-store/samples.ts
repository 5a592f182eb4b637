import type { KnownEvent } from '#core/event-store/event-types.ts';
import type { Cause, NewEvent } from '#core/event-store/port.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { type StreamName, streamName } from '#core/kernel/stream-name.ts';
import { at, job, jobSamples } from './job-samples.ts';

/** One of every type, with every field filled. */
export const samples: { [T in KnownEvent['type']]: Extract<KnownEvent, { type: T }> } = {
  ...jobSamples,
  AccountOpened: {
    type: 'AccountOpened',
    data: {
      accountId: 'a1',
      businessId: 'b1',
      email: 'sam@example.au',
      phone: '+61412345678',
      firstName: 'Sam',
      lastName: 'Okafor',
      openedAt: at,
    },
  },
  RegistrationStarted: {
    type: 'RegistrationStarted',
    data: { registrationId: 'r1', plan: 'plus', startedAt: at },
  },
  RegistrationRegionChosen: {
    type: 'RegistrationRegionChosen',
    data: { registrationId: 'r1', region: 'au', chosenAt: at },
  },
  RegistrationTradesChosen: {
    type: 'RegistrationTradesChosen',
    data: {
      ...{ registrationId: 'r1', trades: ['plumbing'], specialties: ['plumbing-blocked-drains'] },
      chosenAt: at,
    },
  },
  RegistrationBusinessIdentified: {
    type: 'RegistrationBusinessIdentified',
    data: {
      registrationId: 'r1',
      entity: {
        ...{ bn: '51824753556', name: 'OKAFOR, SAM', country: 'au' },
        ...{ registered: true, status: 'Active', postcode: '3056' },
      },
      ...{ tradingName: 'sam the plumber', firstName: 'Sam', lastName: 'Okafor', identifiedAt: at },
    },
  },
  RegistrationAreaSet: {
    type: 'RegistrationAreaSet',
    data: { registrationId: 'r1', coverage: { lat: -37.77, lng: 144.96, radius: 20_000 }, setAt: at },
  },
  RegistrationTermsAccepted: {
    type: 'RegistrationTermsAccepted',
    data: { registrationId: 'r1', subscribe: true, acceptedAt: at },
  },
  RegistrationSaved: {
    type: 'RegistrationSaved',
    data: {
      registrationId: 'r1',
      step: 3,
      region: 'au',
      trades: ['plumbing'],
      specialties: ['plumbing-blocked-drains'],
      entity: {
        ...{ bn: '51824753556', name: 'OKAFOR, SAM', country: 'au' },
        ...{ registered: true, status: 'Active', postcode: '3056' },
      },
      tradingName: 'sam the plumber',
      firstName: 'Sam',
      lastName: 'Okafor',
      location: { lat: -37.77, lng: 144.96, radius: 20_000, zoom: 10 },
      email: 'sam@example.au',
      phone: '+61412345678',
      subscribe: true,
      terms: false,
      savedAt: at,
    },
  },
  RegistrationEmailVerified: {
    type: 'RegistrationEmailVerified',
    data: { registrationId: 'r1', email: 'sam@example.au', verifiedAt: at },
  },
  RegistrationPhoneChanged: {
    type: 'RegistrationPhoneChanged',
    data: { registrationId: 'r1', phone: '+61412345678', changedAt: at },
  },
  RegistrationPhoneVerified: {
    type: 'RegistrationPhoneVerified',
    data: { registrationId: 'r1', phone: '+61412345678', verifiedAt: at },
  },
  RegistrationPasswordChosen: {
    type: 'RegistrationPasswordChosen',
    data: { registrationId: 'r1', chosenAt: at },
  },
  RegistrationCompleted: {
    type: 'RegistrationCompleted',
    data: {
      ...{ registrationId: 'r1', accountId: 'a1', businessId: 'b1', region: 'au', plan: 'plus' },
      ...{ trades: ['plumbing'], specialties: ['plumbing-blocked-drains'] },
      ...{ bn: '51824753556', name: 'OKAFOR, SAM', tradingName: 'Sam the Plumber' },
      ...{ tagline: 'Plumbers, Brunswick VIC', firstName: 'Sam', lastName: 'Okafor' },
      ...{ email: 'sam@example.au', phone: '+61412345678' },
      coverage: { lat: -37.77, lng: 144.96, radius: 20_000 },
      ...{ timeZone: 'Australia/Melbourne', slug: 'sam-the-plumber', subscribe: true, completedAt: at },
    },
  },
  EmailConfirmationAwaited: { type: 'EmailConfirmationAwaited', data: { accountId: 'a1', awaitedAt: at } },
  AccountEmailConfirmed: { type: 'AccountEmailConfirmed', data: { accountId: 'a1', confirmedAt: at } },
  OnboardingFinished: { type: 'OnboardingFinished', data: { accountId: 'a1', finishedAt: at } },
  NotificationsChanged: {
    type: 'NotificationsChanged',
    data: {
      accountId: 'a1',
      notifications: {
        ...{ jobEnquiries: true, simpleContacts: false, email: true },
        ...{ sms: false, productUpdates: true, newsletter: false },
      },
      changedAt: at,
    },
  },
  AccountRenamed: {
    type: 'AccountRenamed',
    data: { accountId: 'a1', firstName: 'Samira', lastName: 'Okafor-Lee', renamedAt: at },
  },
  AccountEmailChanged: {
    type: 'AccountEmailChanged',
    data: { accountId: 'a1', email: 'samira@example.au', changedAt: at },
  },
  AccountPhoneChanged: {
    type: 'AccountPhoneChanged',
    data: { accountId: 'a1', phone: '+61491570156', changedAt: at },
  },
  BusinessRegistered: {
    type: 'BusinessRegistered',
    data: {
      businessId: 'b1',
      accountId: 'a1',
      region: 'au',
      plan: 'plus',
      bn: '51824753556',
      name: 'OKAFOR, SAM',
      tradingName: 'Sam the Plumber',
      tagline: 'Plumbers, Brunswick VIC',
      timeZone: 'Australia/Melbourne',
      coverage: { lat: -37.77, lng: 144.96, radius: 20_000 },
      registeredAt: at,
    },
  },
  BusinessDetailsChanged: {
    type: 'BusinessDetailsChanged',
    data: {
      businessId: 'b1',
      accountId: 'a1',
      bn: '51824753556',
      name: 'OKAFOR, SAM',
      tradingName: 'Sam and Jo Plumbing',
      changedAt: at,
    },
  },
  PlanChanged: { type: 'PlanChanged', data: { businessId: 'b1', plan: 'pro', changedAt: at } },
  PublicAddressChanged: {
    type: 'PublicAddressChanged',
    data: { businessId: 'b1', slug: 'sams-plumbing', changedAt: at },
  },
  ThemeChanged: { type: 'ThemeChanged', data: { businessId: 'b1', theme: '#5053AE', changedAt: at } },
  LogoChanged: { type: 'LogoChanged', data: { businessId: 'b1', logo: 'l1', changedAt: at } },
  LogoRemoved: { type: 'LogoRemoved', data: { businessId: 'b1', reason: 'plan', removedAt: at } },
  BusinessBranded: {
    type: 'BusinessBranded',
    data: { businessId: 'b1', slug: 'sams-plumbing', theme: '#5053AE', logo: 'l1', brandedAt: at },
  },
  BusinessIntroduced: {
    type: 'BusinessIntroduced',
    data: { businessId: 'b1', accountId: 'a1', intro: 'Sam and Jo, since 1998', introducedAt: at },
  },
  BusinessContactPublished: {
    type: 'BusinessContactPublished',
    data: { businessId: 'b1', accountId: 'a1', phone: '+61412345678', email: null, publishedAt: at },
  },
  EnquiryFormOpened: {
    type: 'EnquiryFormOpened',
    data: { businessId: 'b1', trades: ['plumber', 'gasfitter'], openedAt: at },
  },
  QuestionEnabled: { type: 'QuestionEnabled', data: { businessId: 'b1', questionId: 'q1', enabledAt: at } },
  QuestionDisabled: {
    type: 'QuestionDisabled',
    data: { businessId: 'b1', questionId: 'q1', disabledAt: at },
  },
  QuestionAdded: {
    type: 'QuestionAdded',
    data: {
      businessId: 'b1',
      questionId: 'q9',
      trade: null,
      question: 'Shall I ask for Jo?',
      seq: 9,
      addedAt: at,
    },
  },
  DemoRequested: {
    type: 'DemoRequested',
    data: {
      ...{ demoId: 'd1', name: 'Aroha Tāwhiri', businessName: 'Tāwhiri Plumbing' },
      ...{ phone: '+64215550123', email: 'aroha@tawhiri.example', reachTime: 'lunch', requestedAt: at },
    },
  },
};

export const cause: Cause & { at: string } = {
  at,
  actor: 'system',
  causation: '0d9f2f7e-3a53-4a7e-9d7d-0d6f0c6f5a01',
  correlation: 'request-1',
};

/** Ids that differ between calls, yet are the same for the same seed in the same stream. */
export function eventId(stream: string, seed: string | number): string {
  return uuidV5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', `${stream}/${seed}`);
}

/** A fact of a job that holds a text of the customer's: its key is that of `customer-<jobId>`. */
export function notes(stream: StreamName, seed: string | number, text = `note ${seed}`): NewEvent {
  const jobId = stream.slice('job-'.length);
  return {
    id: eventId(stream, seed),
    event: { type: 'JobNotesChanged', data: { ...job, jobId, notes: text, changedAt: at } },
  };
}

let streams = 0;

/** A stream that nobody else uses. */
export function newJobStream(): StreamName {
  streams += 1;
  return streamName('job', `s${streams}-${crypto.randomUUID()}`);
}

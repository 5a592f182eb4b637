import { type } from 'arktype';
import { type EventOf, event, eventGuard, type Frozen, id, instant } from '#core/kernel/event.ts';
import { plans } from '#core/values/product.ts';
import { regions } from '#core/values/region.ts';
import { ERASED, ERASED_AREA } from '#core/values/stored-details.ts';

const region = type.enumerated(...regions);
const plan = type.enumerated(...plans);

const entity = type({
  bn: 'string',
  name: 'string',
  country: region,
  registered: 'boolean',
  status: 'string',
  postcode: 'string | null',
});

/** A business as its country's register has it. `registered` is false for one that was struck off. */
export type RegisteredEntity = Frozen<typeof entity.infer>;

const answers = type({
  region: type.enumerated(...regions, null),
  /** Ids of the trade catalogue. */
  trades: 'string[]',
  specialties: 'string[]',
  entity: entity.or('null'),
  tradingName: 'string',
  firstName: 'string',
  lastName: 'string',
  /** Degrees, metres and the map's zoom. */
  location: { lat: 'number', lng: 'number', radius: 'number', zoom: 'number' },
  email: 'string',
  phone: 'string',
  /** Whether customers are to see the mobile on the public page. */
  showPhone: 'boolean',
  /** Whether news by email are wanted. */
  subscribe: 'boolean',
  terms: 'boolean',
});

/** What was answered so far, half-typed words included: what it is worth is for the steps' rules to say. */
export type Answers = Frozen<typeof answers.infer>;

const completed = {
  registrationId: id,
  accountId: id,
  businessId: id,
  region,
  plan,
  trades: 'string[]',
  specialties: 'string[]',
  bn: 'string',
  name: 'string',
  tradingName: 'string',
  tagline: 'string',
  firstName: 'string',
  lastName: 'string',
  email: 'string',
  phone: 'string',
  coverage: { lat: 'number', lng: 'number', radius: 'number' },
  timeZone: 'string',
  slug: 'string',
  subscribe: 'boolean',
  /** Whether customers are to see the mobile on the public page. */
  showPhone: 'boolean',
  completedAt: instant,
} as const;

const draft = (data: { registrationId: string }) => `registration-${data.registrationId}`;
const account = (data: { accountId: string }) => `account-${data.accountId}`;

const ERASED_ENTITY = {
  bn: ERASED,
  name: ERASED,
  country: 'au',
  registered: false,
  status: ERASED,
  postcode: null,
} as const;
const erasedNames = {
  bn: ERASED,
  name: ERASED,
  tradingName: ERASED,
  tagline: ERASED,
  firstName: ERASED,
  lastName: ERASED,
  email: ERASED,
  phone: ERASED,
} as const;

/**
 * A registration's events. What a draft says of a person is sealed under the draft's own key, so that an abandoned one can
 * be forgotten; once completed, it is the account's.
 */
export const registrationEvents = {
  /** A prospect passed the bot check and began. The id is the hash of a secret that they alone hold. */
  RegistrationStarted: event({ registrationId: id, plan, startedAt: instant }),

  /** The country that the business works in. */
  RegistrationRegionChosen: event({ registrationId: id, region, chosenAt: instant }),

  /** The trades and at least one specialty, as ids of the trade catalogue. */
  RegistrationTradesChosen: event({
    registrationId: id,
    trades: 'string[]',
    specialties: 'string[]',
    chosenAt: instant,
  }),

  /** The business was found in the register of its country, and has the names it is to be known by. */
  RegistrationBusinessIdentified: event(
    {
      registrationId: id,
      entity,
      tradingName: 'string',
      firstName: 'string',
      lastName: 'string',
      identifiedAt: instant,
    },
    {
      personal: {
        subject: draft,
        erased: { entity: ERASED_ENTITY, tradingName: ERASED, firstName: ERASED, lastName: ERASED },
      },
    },
  ),

  /** The area that the business covers: degrees and metres. */
  RegistrationAreaSet: event(
    { registrationId: id, coverage: { lat: 'number', lng: 'number', radius: 'number' }, setAt: instant },
    { personal: { subject: draft, erased: { coverage: ERASED_AREA } } },
  ),

  /** The email is the prospect's, and no other account signs in with it. */
  RegistrationEmailVerified: event(
    { registrationId: id, email: 'string', verifiedAt: instant },
    { personal: { subject: draft, erased: { email: ERASED } } },
  ),

  /** The code that was sent to this mobile came back. */
  RegistrationPhoneVerified: event(
    { registrationId: id, phone: 'string', verifiedAt: instant },
    { personal: { subject: draft, erased: { phone: ERASED } } },
  ),

  /** A password that keeps the rules was given; it is stored elsewhere, and is no part of the event. */
  RegistrationPasswordChosen: event({ registrationId: id, chosenAt: instant }),

  /** The terms were accepted; `subscribe` says whether news by email are wanted. */
  RegistrationTermsAccepted: event({ registrationId: id, subscribe: 'boolean', acceptedAt: instant }),

  /** All that an account, its business and its enquiry form are opened with. `timeZone` is IANA; `coverage.radius` in metres. */
  RegistrationCompleted: event(completed, {
    personal: {
      subject: account,
      erased: { ...erasedNames, coverage: ERASED_AREA, slug: ERASED },
    },
  }),
};

export type RegistrationEvent<T extends keyof typeof registrationEvents = keyof typeof registrationEvents> =
  EventOf<typeof registrationEvents, T>;

export const isRegistrationEvent = eventGuard(registrationEvents);

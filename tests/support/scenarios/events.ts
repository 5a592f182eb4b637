import type { AccountEvent } from '#core/account/events.ts';
import type { BusinessEvent } from '#core/business/events.ts';
import type { EnquiryFormEvent } from '#core/enquiry-form/events.ts';
import type { KnownEvent } from '#core/event-store/event-types.ts';
import { comparePositions, type EventStore, type RecordedEvent } from '#core/event-store/port.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import type { JobEvent } from '#core/job/job.ts';
import type { HeldFor, JobStatus } from '#core/job/status/statuses.ts';
import { type StreamName, streamName } from '#core/kernel/stream-name.ts';

/** An event and where it belongs. */
export type StreamEvent = Readonly<{ stream: StreamName; event: KnownEvent }>;

export const at = '2026-11-16T21:30:00.000Z';

export const brunswick = {
  businessId: 'business-brunswick',
  accountId: 'account-dave',
  timeZone: 'Australia/Melbourne',
  slug: 'brunswick-plumbing',
} as const;

export const ponsonby = {
  businessId: 'business-ponsonby',
  accountId: 'account-mere',
  timeZone: 'Pacific/Auckland',
  slug: 'ponsonby-sparks',
} as const;

export type Tenant = typeof brunswick | typeof ponsonby;

/** Four customers, two on each side of the Tasman. */
export const customers = [
  customer('Matiu Ngata', 'matiu@example.com', '+61491570156', '22/140 Lygon St, Brunswick East VIC 3057'),
  customer('Siobhán O’Neill', 'siobhan@example.com', '+61491570157', '7 Weston St, Brunswick VIC 3056'),
  customer('Aroha Tāwhiri', 'aroha@example.co.nz', '+64211234567', '15 Jervois Rd, Ponsonby, Auckland 1011'),
  customer('Wiremu Parata', 'wiremu@example.co.nz', '+642112345678', '3 Franklin Rd, Freemans Bay, Auckland'),
] as const;

type Customer = (typeof customers)[number];

function customer(name: string, email: string, phone: string, address: string) {
  return { name, email, phone, location: { address, placeId: null, lat: -37.77, lng: 144.97 } } as const;
}

/** Events of one job. `customer` defaults to the first. */
export function aJob(jobId: string, { businessId }: Pick<Tenant, 'businessId'>, of: Customer = customers[0]) {
  const stream = streamName('job', jobId);
  const own = { jobId, businessId } as const;
  const streamEvent = (event: JobEvent): StreamEvent => ({ stream, event });
  return {
    requested: (data: Partial<JobEvent<'JobRequested'>['data']> = {}) =>
      streamEvent({
        type: 'JobRequested',
        data: {
          ...{ ...own, ...of, title: 'Leaking shower mixer', description: 'The hot tap will not close.' },
          ...{ isUrgent: true, wishedTime: 'Any morning', reachBy: 'sms', media: [], unsentFiles: 0 },
          requestedAt: at,
          answers: [{ questionId: 'home-type', question: 'Home type', field: 'homeType', answer: 'Unit' }],
          ...data,
        },
      }),
    workOrder: (data: Partial<JobEvent<'WorkOrderReceived'>['data']> = {}) =>
      streamEvent({
        type: 'WorkOrderReceived',
        data: {
          ...{ ...own, ...of, title: 'Replace the anode', description: 'Solahart, ten years old.' },
          ...{ isUrgent: false, scheduledAt: null, receivedAt: at },
          ...data,
        },
      }),
    added: (data: Partial<JobEvent<'JobAdded'>['data']> = {}) =>
      streamEvent({
        type: 'JobAdded',
        data: {
          ...{ ...own, ...of, title: 'Switchboard upgrade', notes: 'Key under the mat' },
          ...{ scheduledAt: null, addedAt: at },
          ...data,
        },
      }),
    held: (heldFor: HeldFor = 'rush') =>
      streamEvent({ type: 'JobHeld', data: { ...own, heldFor, heldAt: at } }),
    accepted: () => streamEvent({ type: 'JobAccepted', data: { ...own, acceptedAt: at } }),
    rejected: () => streamEvent({ type: 'JobRejected', data: { ...own, rejectedAt: at } }),
    scheduled: (scheduledAt: string | null) =>
      streamEvent({ type: 'JobScheduled', data: { ...own, scheduledAt, changedAt: at } }),
    moved: (status: Extract<JobEvent, { type: 'JobStatusChanged' }>['data']['status']) =>
      streamEvent({ type: 'JobStatusChanged', data: { ...own, status, changedAt: at } }),
    unsuccessful: () => streamEvent({ type: 'JobMarkedUnsuccessful', data: { ...own, markedAt: at } }),
    restoredStatus: (status: JobStatus, undone = 1) =>
      streamEvent({ type: 'JobStatusRestored', data: { ...own, status, undone, restoredAt: at } }),
    restoredSchedule: (scheduledAt: string | null, undone = 1) =>
      streamEvent({ type: 'JobScheduleRestored', data: { ...own, scheduledAt, undone, restoredAt: at } }),
    restoredNotes: (notes: string, undone = 1) =>
      streamEvent({ type: 'JobNotesRestored', data: { ...own, notes, undone, restoredAt: at } }),
    messaged: () =>
      streamEvent({ type: 'CustomerMessageOpened', data: { ...own, kind: 'running-late', openedAt: at } }),
    photographed: (photoId: string) =>
      streamEvent({
        type: 'JobPhotoAdded',
        data: {
          ...{ ...own, photoId, stage: 'before', caption: 'Rust', mime: 'image/png', bytes: 900 },
          ...{ sha256: 'AAAA', addedAt: at },
        },
      }),
    photoRemoved: (photoId: string) =>
      streamEvent({ type: 'JobPhotoRemoved', data: { ...own, photoId, removedAt: at } }),
    opened: () => streamEvent({ type: 'JobOpened', data: { ...own, openedAt: at } }),
    notNeeded: () => streamEvent({ type: 'JobNoLongerNeeded', data: { ...own, saidAt: at } }),
    correctionAsked: (text: string) =>
      streamEvent({ type: 'CustomerCorrectionAsked', data: { ...own, text, askedAt: at } }),
    correctionAnswered: (asked: number, answer: 'agreed' | 'refused') =>
      streamEvent({ type: 'CustomerCorrectionAnswered', data: { ...own, asked, answer, answeredAt: at } }),
    removalAsked: () => streamEvent({ type: 'CustomerRemovalAsked', data: { ...own, askedAt: at } }),
    removalRefused: (until: string) =>
      streamEvent({
        type: 'CustomerRemovalRefused',
        data: { ...own, reason: 'law', until, refusedAt: at },
      }),
    erasurePlanned: (erasureId = 'erasure-1') =>
      streamEvent({
        type: 'CustomerErasurePlanned',
        data: { ...own, erasureId, dueAt: '2026-11-23T21:30:00.000Z', plannedAt: at },
      }),
    erasureCancelled: (erasureId = 'erasure-1') =>
      streamEvent({ type: 'CustomerErasureCancelled', data: { ...own, erasureId, cancelledAt: at } }),
    customerErased: (erasureId = 'erasure-1') =>
      streamEvent({ type: 'JobCustomerErased', data: { ...own, erasureId, erasedAt: at } }),
    noted: (notes: string) =>
      streamEvent({ type: 'JobNotesChanged', data: { ...own, notes, changedAt: at } }),
  };
}

/** Events of a business, of its owner's account and of its enquiry form, by their type and their data without the id of the stream. */
export function eventsOf({ businessId, accountId }: Tenant) {
  const streamEvent = (stream: StreamName, type: KnownEvent['type'], data: object): StreamEvent => ({
    stream,
    event: { type, data } as KnownEvent,
  });
  return {
    business: <T extends BusinessEvent['type']>(
      type: T,
      data: Omit<BusinessEvent<T>['data'], 'businessId'>,
    ) => streamEvent(streamName('business', businessId), type, { businessId, ...data }),
    account: <T extends AccountEvent['type']>(type: T, data: Omit<AccountEvent<T>['data'], 'accountId'>) =>
      streamEvent(streamName('account', accountId), type, { accountId, ...data }),
    form: <T extends EnquiryFormEvent['type']>(
      type: T,
      data: Omit<EnquiryFormEvent<T>['data'], 'businessId'>,
    ) => streamEvent(streamName('enquiryForm', businessId), type, { businessId, ...data }),
  };
}

/** A business that came to Ute: registered, with an address and a colour, introduced, with an account and an enquiry form. */
export function registration(tenant: Tenant): StreamEvent[] {
  const { businessId, accountId, timeZone, slug } = tenant;
  const region = tenant.timeZone === brunswick.timeZone ? 'au' : 'nz';
  const name = tenant === brunswick ? 'Brunswick Plumbing' : 'Ponsonby Sparks';
  const { business, account, form } = eventsOf(tenant);
  return [
    business('BusinessRegistered', {
      ...{ accountId, region, plan: 'starter', bn: '51824753556', timeZone, registeredAt: at },
      ...{ name: `${name} Pty Ltd`, tradingName: name, tagline: 'Since 1998' },
      coverage: { lat: -37.77, lng: 144.96, radius: 15_000 },
    }),
    business('PublicAddressChanged', { slug, changedAt: at }),
    business('ThemeChanged', { theme: '#5C9B61', changedAt: at }),
    business('BusinessIntroduced', { accountId, intro: 'Blocked drains and hot water.', introducedAt: at }),
    account('AccountOpened', {
      ...{ businessId, email: `${accountId}@example.com`, phone: '+61491570158' },
      ...{ firstName: 'Dave', lastName: 'Citizen', openedAt: at },
    }),
    form('EnquiryFormOpened', { trades: ['plumbing'], openedAt: at }),
  ];
}

const namespace = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';

/** Events as they would stand in a log that holds nothing else: positions from 1, revisions from 0. */
export function record(streamEvents: readonly StreamEvent[]): RecordedEvent[] {
  const ends = new Map<string, number>();
  return streamEvents.map(({ stream, event }, index) => {
    const revision = (ends.get(stream) ?? -1) + 1;
    ends.set(stream, revision);
    const id = uuidV5(namespace, `${stream}/${revision}`);
    const cause = { actor: 'system', causation: id, correlation: 'test' };
    return {
      ...{ position: String(index + 1), stream, revision, id, type: event.type, schema: 1 },
      ...{ metadata: { ...cause, at: '2026-11-16T21:30:00.000Z', hash: '' }, event },
    };
  });
}

/** The reading half of an event store over a log that is finished. */
export function finishedLog(events: readonly RecordedEvent[]): EventStore {
  return {
    append: () => Promise.reject(new Error('the log is finished')),
    readStream: async (stream, from = 0) =>
      events.filter((event) => event.stream === stream && event.revision >= from),
    readStreams: async (streams) =>
      Map.groupBy(
        events.filter(({ stream }) => streams.includes(stream)),
        ({ stream }) => stream,
      ),
    readAll: async (after, limit) =>
      events.filter(({ position }) => comparePositions(position, after) > 0).slice(0, limit),
    subscribeAll: () => {
      throw new Error('nothing follows in a finished log');
    },
    head: async () => events.at(-1)?.position ?? '0',
  };
}

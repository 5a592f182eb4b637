import { canCreateJob, type NewJobField, newJobProblem } from '#core/values/job-form.ts';
import { isJobSlot, type JobSlot, slotProblem } from '#core/values/time.ts';
import { listInWords } from '#site/lib/form.ts';
import { type Drafts, draftsOf } from '#site/lib/offline/drafts.ts';
import { newId } from '#site/lib/secure/new-id.ts';
import { accountOf } from '#site/lib/session/session-storage.ts';
import { $session, ownRegion } from '#site/lib/session/session-store.ts';
import { isNumber, isRecord, isText, orMissing, orNull, type Shape } from '#site/lib/shape.ts';
import { type Day, isDay } from '#site/lib/time/calendar.ts';
import type { AddressValue } from '#site/ui/address/address-rows.ts';
import { type Clock, chosenInstant, isDayOpen, isSlotOpen } from '#site/ui/schedule/schedule-choice.ts';

/** A day and a time of the business's clocks, as far as they are chosen. */
export type Schedule = Readonly<{ day: Day | null; slot: JobSlot | null }>;

/** What the form holds. */
export type JobForm = Readonly<{
  name: string;
  email: string;
  phone: string;
  address: AddressValue;
  title: string;
  notes: string;
  schedule: Schedule;
}>;

export const emptyJobForm: JobForm = {
  ...{ name: '', email: '', phone: '', title: '', notes: '' },
  schedule: { day: null, slot: null },
  address: { text: '', chosen: null },
};

const chooseAddressMessage = 'Choose an address from the list';

/** The message of a text field as it stands, or undefined: what TanStack Form takes for "no error". */
export function textProblem(field: Exclude<NewJobField, 'address'>) {
  return ({ value }: { value: string }) => newJobProblem(field, value, ownRegion()) ?? undefined;
}

export function addressProblem({ text, chosen }: AddressValue): string | undefined {
  if (chosen) return newJobProblem('address', chosen.address, null) ?? undefined;
  return text.trim() === '' ? (newJobProblem('address', '', null) ?? undefined) : chooseAddressMessage;
}

/** A schedule is whole or there is none: half of one is an error, not dropped. */
export function scheduleProblem(schedule: Schedule, { timeZone, now }: Clock): string | undefined {
  const { day, slot } = schedule;
  if (!day && !slot) return undefined;
  if (!slot) return 'Choose a time as well, or clear the day';
  if (!day) return 'Choose a day as well, or clear the time';
  const instant = chosenInstant(schedule, timeZone);
  return instant ? (slotProblem(new Date(instant), timeZone, now) ?? undefined) : undefined;
}

/** A schedule of a while ago, without what has gone by. */
export function stillOpen({ day, slot }: Schedule, clock: Clock): Schedule {
  if (day && !isDayOpen(day, clock)) return emptyJobForm.schedule;
  return { day, slot: slot && isSlotOpen(slot, day, clock) ? slot : null };
}

/** Whether the Create Job button is enabled. */
export function isComplete(form: JobForm): boolean {
  return canCreateJob({ ...form, address: form.address.chosen?.address ?? '' }, ownRegion());
}

/** What the button still waits for, in words; '' once it waits for nothing. */
export function stillNeeded({ name, email, phone, address }: JobForm): string {
  const needed = [
    newJobProblem('name', name, null) && 'a full name',
    newJobProblem('email', email, null) && (email.trim() ? 'a complete email address' : 'an email address'),
    newJobProblem('phone', phone, ownRegion()) &&
      (phone.trim() ? 'a complete mobile number' : 'a phone number'),
    addressProblem(address) && 'an address from the list',
  ].filter((need) => typeof need === 'string');
  return needed.length === 0 ? '' : `Still needed: ${listInWords(needed)}`;
}

/** The body of POST /jobs, on the clocks of an IANA zone. */
export function bodyOf({ address: { chosen }, schedule, ...typed }: JobForm, timeZone: string) {
  const { address = '', placeId = null, lat = null, lng = null } = chosen ?? {};
  return { ...typed, address, placeId, lat, lng, scheduledAt: chosenInstant(schedule, timeZone) };
}

/** `sending` is the key under which that very body is sent, however often it is tried. */
type JobDraft = Readonly<{ values: Partial<JobForm>; sending?: Readonly<{ key: string; body: string }> }>;

const isChosen = isRecord({
  ...{ address: isText, placeId: orNull(isText), lat: orNull(isNumber), lng: orNull(isNumber) },
});
/** A field that another release did not have is empty; one that is there has to be right. */
const isJobForm = isRecord({
  ...{ name: orMissing(isText), email: orMissing(isText), phone: orMissing(isText) },
  ...{ title: orMissing(isText), notes: orMissing(isText) },
  address: orMissing(isRecord({ text: isText, chosen: orNull(isChosen) })),
  schedule: orMissing(isRecord({ day: orNull(isDay), slot: orNull(isJobSlot) })),
}) as Shape<Partial<JobForm>>;
const isJobDraft = isRecord({
  values: isJobForm,
  sending: orMissing(isRecord({ key: isText, body: isText })),
}) as Shape<JobDraft>;

/** What was typed last in this tab by the user who is signed in; empty where nothing was. */
export function readJobDraft(): JobForm {
  return { ...emptyJobForm, ...drafts().read()?.values };
}

/** The texts that a link may fill in, as in `/jobs/add#name=Priya`. */
const filledNames = ['name', 'email', 'phone', 'title'] as const;

/**
 * What was typed last, and in fields that were empty what the link to this page filled in: the part of its address behind the `#`.
 * A day or a time that is none is left out.
 */
export function filledIn(draft: JobForm, fragment: string): JobForm {
  const filled = new URLSearchParams(fragment.replace(/^#/, ''));
  const texts = filledNames.map((name) => [name, draft[name] || (filled.get(name) ?? '')]);
  const [day, slot, address] = ['day', 'slot', 'address'].map((name) => filled.get(name));
  const isScheduled = draft.schedule.day !== null || draft.schedule.slot !== null;
  return {
    ...draft,
    ...Object.fromEntries(texts),
    address: draft.address.text ? draft.address : { text: address ?? '', chosen: null },
    schedule: isScheduled
      ? draft.schedule
      : { day: isDay(day) ? day : null, slot: isJobSlot(slot) ? slot : null },
  };
}

/** Stores what is typed; nothing once all of it is taken out again. */
export function saveJobDraft(values: JobForm): void {
  if (isEmpty(values)) drafts().remove();
  else drafts().write({ ...drafts().read(), values });
}

function isEmpty({ address, schedule, ...texts }: JobForm): boolean {
  const isTyped = [address.text, ...Object.values(texts)].some((text) => text !== '');
  return !isTyped && !schedule.day && !schedule.slot;
}

export function removeJobDraft(): void {
  drafts().remove();
}

/** The same body has the same key across failures and reloads, so that a retry makes no second job; another gets another. */
export function idempotencyKeyFor(values: JobForm, body: string): string {
  const { sending } = drafts().read() ?? {};
  if (sending?.body === body) return sending.key;
  const key = newId();
  drafts().write({ values, sending: { key, body } });
  return key;
}

function drafts(): Drafts<JobDraft> {
  return draftsOf('job', accountOf($session.get()?.token ?? ''), isJobDraft);
}

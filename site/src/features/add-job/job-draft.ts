import { isJobSlot } from '#core/values/time.ts';
import { type Drafts, draftsOf } from '#site/lib/offline/drafts.ts';
import { accountOf } from '#site/lib/session/session-storage.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { isNumber, isRecord, isText, orMissing, orNull, type Shape } from '#site/lib/shape.ts';
import { isDay } from '#site/lib/time/calendar.ts';
import { emptyJobForm, type JobForm } from './job-form.ts';

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

export function saveJobDraft(values: JobForm): void {
  drafts().write({ ...drafts().read(), values });
}

export function removeJobDraft(): void {
  drafts().remove();
}

/** The same body has the same key across failures and reloads, so that a retry makes no second job; another gets another. */
export function idempotencyKeyFor(values: JobForm, body: string): string {
  const { sending } = drafts().read() ?? {};
  if (sending?.body === body) return sending.key;
  const key = crypto.randomUUID();
  drafts().write({ values, sending: { key, body } });
  return key;
}

function drafts(): Drafts<JobDraft> {
  return draftsOf('job', accountOf($session.get()?.token ?? ''), isJobDraft);
}

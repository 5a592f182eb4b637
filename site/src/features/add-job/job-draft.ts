import { type Drafts, draftsOf } from '#site/lib/drafts.ts';
import { accountOf } from '#site/lib/session-storage.ts';
import { $session } from '#site/lib/session-store.ts';
import { emptyJobForm, type JobForm } from './job-form.ts';

/** `sending` is the key under which that very body is sent, however often it is tried. */
type JobDraft = Readonly<{ values: JobForm; sending?: Readonly<{ key: string; body: string }> }>;

/** What was typed last in this tab by who is signed in; empty where nothing was. */
export function readJobDraft(): JobForm {
  return { ...emptyJobForm, ...drafts().read()?.values };
}

export function keepJobDraft(values: JobForm): void {
  drafts().write({ ...drafts().read(), values });
}

export function forgetJobDraft(): void {
  drafts().forget();
}

/** The same body keeps its key across failures and reloads, so that a retry makes no second job; another gets another. */
export function idempotencyKeyFor(values: JobForm, body: string): string {
  const { sending } = drafts().read() ?? {};
  if (sending?.body === body) return sending.key;
  const key = crypto.randomUUID();
  drafts().write({ values, sending: { key, body } });
  return key;
}

function drafts(): Drafts<JobDraft> {
  return draftsOf('job', accountOf($session.get()?.token ?? ''));
}

import { botCheckFor } from '#site/lib/bot-check/bot-check.ts';
import type { AnswerOf, QueryOf } from '#site/lib/http/api.ts';
import { fetchOutcome, type Outcome } from '#site/lib/http/fetch-outcome.ts';

export type Sent = AnswerOf<'POST', `/public-forms/${string}/jobs`>;

/** Five megabytes over a slow connection, in milliseconds. */
const uploadTimeout = 120_000;
/** Seconds; a longer wait before the next upload is shown to the customer. */
const longestRetry = 30;

/** Sends the request under its key: however often it is sent, the business gets one job. */
export async function send(slug: string, body: string, key: string): Promise<Outcome<Sent>> {
  return withTicket((ticket) =>
    fetchOutcome(`/public-forms/${slug}/jobs`, {
      method: 'POST',
      body,
      headers: { 'x-bot-check': ticket, 'idempotency-key': key },
    }),
  );
}

/**
 * Puts a file there for a request to come. While another upload from here is on its way, it waits and tries again. It is `lost` once
 * `signal` ends it.
 */
export async function upload(
  slug: string,
  file: Blob,
  { name, signal }: Readonly<{ name: string; signal: AbortSignal }>,
): Promise<Outcome<AnswerOf<'POST', `/public-forms/${string}/media`>>> {
  const query = new URLSearchParams({ name } satisfies QueryOf<'POST', `/public-forms/${string}/media`>);
  for (;;) {
    const outcome = await withTicket((ticket) =>
      fetchOutcome(`/public-forms/${slug}/media?${query}`, {
        method: 'POST',
        body: file,
        headers: { 'x-bot-check': ticket, 'content-type': 'application/octet-stream' },
        timeout: uploadTimeout,
        signal,
      }),
    );
    const seconds = outcome.kind === 'refused' && outcome.status === 429 ? outcome.retryAfter : undefined;
    if (seconds === undefined || seconds > longestRetry) return outcome;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    if (signal.aborted) return { kind: 'lost' };
  }
}

/** A ticket that is used up or too old is replaced once. */
async function withTicket<T>(post: (ticket: string) => Promise<Outcome<T>>): Promise<Outcome<T>> {
  const first = await postOnce(post);
  if (first.kind !== 'refused' || !first.code?.startsWith('bot-check')) return first;
  // More than the plain work, which is done in place of the seconds that a new ticket would have to wait.
  botCheck.drop(Math.max(2, first.price ?? 1));
  return postOnce(post);
}

async function postOnce<T>(post: (ticket: string) => Promise<Outcome<T>>): Promise<Outcome<T>> {
  const checked = await botCheck.ticket();
  return checked.kind === 'ok' ? post(checked.payload.ticket) : checked;
}

/** Resolves at the browser's word that the network is back, or a while later where it never lost it: 5 to 30 seconds. */
export function timeToTryAgain(tries: number): Promise<void> {
  return new Promise((resolve) => {
    if (navigator.onLine) setTimeout(resolve, Math.min(5_000 * tries, 30_000));
    else addEventListener('online', () => resolve(), { once: true });
  });
}

const form = document.querySelector<HTMLElement>('form[data-request-form]');

/** The bot check of the public form on this page. */
export const botCheck = botCheckFor('public-form', form?.dataset.requestForm);

import { ask, type Outcome } from '#site/lib/ask.ts';
import { botCheck } from './bot-check.ts';

export type Sent = Readonly<{ reference: string }>;

/** Sends the request under its key: however often it is sent, the business gets one job. */
export async function send(slug: string, body: string, key: string): Promise<Outcome<Sent>> {
  const first = await sendOnce(slug, body, key);
  if (first.kind !== 'refused' || first.status !== 400) return first;
  botCheck.drop();
  return sendOnce(slug, body, key);
}

async function sendOnce(slug: string, body: string, key: string): Promise<Outcome<Sent>> {
  const checked = await botCheck.ticket();
  if (checked.kind !== 'ok') return checked;
  return ask<Sent>(`/public-forms/${slug}/jobs`, {
    method: 'POST',
    body,
    headers: { 'x-bot-check': checked.payload.ticket, 'idempotency-key': key },
  });
}

/** Resolves at the browser's word that the network is back, or a while later where it never lost it: 5 to 30 seconds. */
export function timeToTryAgain(tries: number): Promise<void> {
  return new Promise((resolve) => {
    if (navigator.onLine) setTimeout(resolve, Math.min(5_000 * tries, 30_000));
    else addEventListener('online', () => resolve(), { once: true });
  });
}

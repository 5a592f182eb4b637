import { ask, type Outcome } from './ask.ts';
import { dropTicket, ticket } from './bot-check.ts';

export type Sent = Readonly<{ reference: string }>;

/** Sends the request under its key: however often it is sent, the business gets one job. */
export async function send(slug: string, body: string, key: string): Promise<Outcome<Sent>> {
  const first = await sendOnce(slug, body, key);
  if (first.kind !== 'refused' || first.status !== 400) return first;
  dropTicket();
  return sendOnce(slug, body, key);
}

async function sendOnce(slug: string, body: string, key: string): Promise<Outcome<Sent>> {
  const checked = await ticket();
  if (checked.kind !== 'ok') return checked;
  return ask<Sent>(`/public-forms/${slug}/jobs`, {
    method: 'POST',
    body,
    headers: { 'x-bot-check': checked.payload.ticket, 'idempotency-key': key },
  });
}

/** Resolves when there may be a network again: at the browser's word, or a moment later where it never lost it. */
export function networkBack(): Promise<void> {
  return new Promise((resolve) => {
    if (navigator.onLine) setTimeout(resolve, 5_000);
    else addEventListener('online', () => resolve(), { once: true });
  });
}

import { botCheckFor } from '#site/lib/bot-check/bot-check.ts';
import { fetchOutcome, type Outcome } from '#site/lib/http/fetch-outcome.ts';

/** The bot check of demos. */
export const botCheck = botCheckFor('demo');

export type Booked = Readonly<{ details: { reachTime: string } }>;

/** Sends the request under its key, once more with a new ticket where the first did not count. Never throws. */
export async function sendDemoRequest(body: string, key: string): Promise<Outcome<Booked>> {
  const first = await sendOnce(body, key);
  if (first.kind !== 'refused' || first.status !== 400) return first;
  botCheck.drop(first.price);
  return sendOnce(body, key);
}

async function sendOnce(body: string, key: string): Promise<Outcome<Booked>> {
  const checked = await botCheck.ticket();
  if (checked.kind !== 'ok') return checked;
  return fetchOutcome<Booked>('/registration/demo', {
    method: 'POST',
    body,
    headers: { 'x-bot-check': checked.payload.ticket, 'idempotency-key': key },
  });
}

import ProofOfWork from 'altcha/workers/pbkdf2?worker';
import { ask, type Outcome } from './ask.ts';

const scope = 'public-form';

type Challenge = Readonly<{ parameters: Readonly<Record<string, unknown>>; signature: string }>;
type Solution = Readonly<{ counter: number; derivedKey: string }>;

/** A ticket lives half an hour on the server; it is asked for anew well before. */
const ticketLifetime = 25 * 60_000;

let current: { made: number; ticket: Promise<Outcome<{ ticket: string }>> } | undefined;

/** Shows the server that this is a browser with a person in front: the work starts early and is done once. */
export async function ticket(): Promise<Outcome<{ ticket: string }>> {
  if (!current || Date.now() - current.made > ticketLifetime) current = { made: Date.now(), ticket: earn() };
  const mine = current;
  const outcome = await mine.ticket;
  if (outcome.kind !== 'ok' && current === mine) current = undefined;
  return outcome;
}

/** A ticket that the server did not take is not shown again. */
export function dropTicket(): void {
  current = undefined;
}

async function earn(): Promise<Outcome<{ ticket: string }>> {
  const asked = await ask<{ challenge: Challenge }>(`/bot-check/challenge?scope=${scope}`);
  if (asked.kind !== 'ok') return asked;
  const { challenge } = asked.payload;
  const solution = await solve(challenge);
  if (!solution) return { kind: 'lost' };
  const payload = btoa(JSON.stringify({ challenge, solution }));
  return ask('/bot-check/verify', { method: 'POST', body: JSON.stringify({ scope, payload }) });
}

function solve(challenge: Challenge): Promise<Solution | null> {
  const worker = new ProofOfWork();
  const answer = new Promise<Solution | null>((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<Solution | { error: unknown } | null>) =>
      resolve(data && 'counter' in data ? data : null);
    worker.onerror = () => resolve(null);
  });
  worker.postMessage({ type: 'work', challenge });
  return answer.finally(() => worker.terminate());
}

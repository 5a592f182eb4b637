import nativeWorker from 'altcha/workers/pbkdf2?worker&url';
import type { AnswerOf, BodyOf, QueryOf } from '#site/lib/http/api.ts';
import { fetchOutcome, type Outcome } from '#site/lib/http/fetch-outcome.ts';
import type { TrustedTypes } from '#site/lib/trusted-types.ts';
import plainWorker from './plain-worker.ts?worker&url';

/** Turnstile is drawn with what the server sends; anything else is work to be proved. */
type Asked = AnswerOf<'GET', '/bot-check/challenge'>['challenge'];
/** ALTCHA's challenge, as the server signed it. */
type Challenge = Exclude<Asked, { provider: 'turnstile' }>;
type Solution = Readonly<{ counter: number; derivedKey: string }>;

const mostWorkers = 4;

/**
 * Does the work of a challenge beside the page, on as many cores as may be spared, and gives the text to send back;
 * null where no worker finds the answer. A page without https has no cryptography of its own, so its workers bring theirs.
 */
async function proveWork(challenge: Challenge): Promise<string | null> {
  const count = Math.max(1, Math.min(mostWorkers, navigator.hardwareConcurrency || 1));
  const address = trustedAddress();
  const workers = Array.from({ length: count }, () => new Worker(address));
  try {
    const solution = await Promise.any(
      workers.map((worker, counterStart) => work(worker, { challenge, counterStart, counterStep: count })),
    );
    return btoa(JSON.stringify({ challenge, solution }));
  } catch {
    return null;
  } finally {
    for (const worker of workers) worker.terminate();
  }
}

let known: string | undefined;
/** The address of the worker that this page needs: pages let no text become a script's address, save the ones named. */
function trustedAddress(): string {
  const address = isSecureContext ? nativeWorker : plainWorker;
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const rules = { createScriptURL: () => address };
  known ??= trustedTypes?.createPolicy('ute-bot-check', rules).createScriptURL(address) ?? address;
  return known;
}

type Share = Readonly<{ challenge: Challenge; counterStart: number; counterStep: number }>;

function work(worker: Worker, share: Share): Promise<Solution> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Solution | { error: unknown } | null>) => {
      if (data && 'counter' in data) resolve(data);
      else reject(new Error('No answer was found'));
    };
    worker.onerror = () => reject(new Error('The worker did not start'));
    worker.postMessage({ type: 'work', ...share });
  });
}

/** What a bot check guards. A ticket for one is not valid for another. */
export type BotCheckScope = BodyOf<'POST', '/bot-check/verify'>['scope'];
export type Ticket = Pick<AnswerOf<'POST', '/bot-check/verify'>, 'ticket'>;

export type BotCheck = Readonly<{
  /** Shows the server that this is a browser with a person in front: the work starts early and is done once. */
  ticket(): Promise<Outcome<Ticket>>;
  /** A ticket that the server did not take, or has taken, is not shown again; the next one is worth `price`. */
  drop(price?: number): void;
  /** Whether the check's own script does not load here, as behind a strict filter. */
  isBlocked(): boolean;
}>;

/** A ticket lives half an hour on the server; it is asked for anew well before. */
const ticketLifetime = 25 * 60_000;

/** The bot check of one scope, of one business's `form` where there are many. The server's answer decides which kind it is. */
export function botCheckFor(scope: BotCheckScope, form?: string): BotCheck {
  let price = 1;
  let blocked = false;
  const onBlocked = () => {
    blocked = true;
  };
  let current: { made: number; ticket: Promise<Outcome<Ticket>> } | undefined;
  return {
    async ticket() {
      if (!current || Date.now() - current.made > ticketLifetime) {
        current = { made: Date.now(), ticket: earn({ scope, form, price }, onBlocked) };
      }
      const mine = current;
      const outcome = await mine.ticket;
      if (outcome.kind !== 'ok' && current === mine) current = undefined;
      return outcome;
    },
    drop(next = 1) {
      price = next;
      current = undefined;
    },
    isBlocked: () => blocked,
  };
}

type Wanted = Readonly<{ scope: BotCheckScope; form: string | undefined; price: number }>;

async function earn({ scope, form, price }: Wanted, onBlocked: () => void): Promise<Outcome<Ticket>> {
  const query = new URLSearchParams({
    scope,
    price: String(price),
    ...(form && { form }),
  } satisfies QueryOf<'GET', '/bot-check/challenge'>);
  const asked = await fetchOutcome(`/bot-check/challenge?${query}`);
  if (asked.kind !== 'ok') return asked;
  const { challenge } = asked.payload;
  const payload = await pass(challenge).catch(() => {
    if ('provider' in challenge && navigator.onLine) onBlocked();
    return null;
  });
  if (payload === null) return { kind: 'lost' };
  return fetchOutcome('/bot-check/verify', {
    method: 'POST',
    body: JSON.stringify({ scope, payload } satisfies BodyOf<'POST', '/bot-check/verify'>),
  });
}

async function pass(challenge: Asked): Promise<string | null> {
  if (!('provider' in challenge)) return proveWork(challenge);
  const { passTurnstile } = await import('./turnstile.ts');
  return passTurnstile(challenge);
}

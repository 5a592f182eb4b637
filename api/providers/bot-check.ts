import { createHash, createHmac, randomInt } from 'node:crypto';
import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { type } from 'arktype';
import type { Config } from '#api/runtime/config/config.ts';
import { fetchJson, ProviderError } from './http-client.ts';

/** The operations that ask for a bot check. A ticket for one is refused by another. */
export const botCheckScopes = ['public-form', 'registration', 'demo', 'code', 'login'] as const;
export type BotCheckScope = (typeof botCheckScopes)[number];

/** How many times the work of a plain bot check may be asked for: on a phone four times a second's work. */
export const mostPrice = 4;

/** Which operation a challenge is for, and how many times the plain work it asks for (1 to `mostPrice`). */
export type ChallengeFor = Readonly<{ scope: BotCheckScope; price: number }>;

/** Why a solution does not count. */
export type BotCheckRefusal = 'wrong' | 'expired' | 'other-scope';

/**
 * `id` names the solved challenge: the route that accepts it must make sure that it counts once. The browser began at `begunAt`; that is
 * 1970 where more than the plain work was done, which is asked for after a form was filled in and took its time by itself.
 */
type BotCheckVerdict =
  | Readonly<{ passed: true; id: string; price: number; begunAt: Date; expiresAt: Date }>
  | Readonly<{ passed: false; reason: BotCheckRefusal }>;

/** What a browser needs to begin: Turnstile's names, or work to be proved, as ALTCHA's library signed it. */
type Challenge =
  | Readonly<{ provider: 'turnstile'; siteKey: string; action: BotCheckScope }>
  | Readonly<{ parameters: object; signature?: string }>;

/**
 * Tells a person's browser from a script. `challenge` is what the browser needs to begin (JSON), `payload` the text it
 * comes back with. Both throw only when the provider itself is out of reach.
 */
type BotCheck = Readonly<{
  challenge(asked: ChallengeFor, now: Date): Promise<Challenge>;
  verify(scope: BotCheckScope, payload: string, now: Date): Promise<BotCheckVerdict>;
}>;

/** The operations whose check is always our own: it has a price, and no script from elsewhere runs where a password is typed. */
const ownScopes: readonly BotCheckScope[] = ['code', 'login'];

/** The bot check that the configuration names. */
export function configuredBotCheck(config: Pick<Config, 'botCheck' | 'keys' | 'publicOrigin'>): BotCheck {
  const { botCheck } = config;
  const own = createAltchaBotCheck({ secret: config.keys.botCheck, cost: botCheck.cost });
  if (botCheck.provider === 'altcha') return own;
  const turnstile = createTurnstileBotCheck({
    ...botCheck,
    hostname: new URL(config.publicOrigin).hostname,
  });
  const of = (scope: BotCheckScope) => (ownScopes.includes(scope) ? own : turnstile);
  return {
    challenge: (asked, now) => of(asked.scope).challenge(asked, now),
    verify: (scope, payload, now) => of(scope).verify(scope, payload, now),
  };
}

const PROVIDER = 'Turnstile';
/** A token counts for this long after it was solved. */
const TOKEN_MS = 300_000;
const TOKEN_CHARACTERS = 2_048;

const Answer = type({
  success: 'boolean',
  'challenge_ts?': 'string | null',
  'hostname?': 'string | null',
  'action?': 'string | null',
  'error-codes?': 'string[]',
});

type TurnstileOptions = Readonly<{ siteKey: string; secret: string; url: string; hostname: string }>;

/**
 * Cloudflare Turnstile. `url` is the origin of its API, `hostname` the one that our pages are under: a token that was
 * solved elsewhere, or for another operation, is not ours. Throws `ProviderError` while it is unavailable: then no check succeeds.
 */
function createTurnstileBotCheck({ siteKey, secret, url, hostname }: TurnstileOptions): BotCheck {
  return {
    challenge: async ({ scope }) => ({ provider: 'turnstile', siteKey, action: scope }),
    async verify(scope, payload, now): Promise<BotCheckVerdict> {
      if (payload === '' || payload.length > TOKEN_CHARACTERS) return { passed: false, reason: 'wrong' };
      const asked = new URLSearchParams({ secret, response: payload });
      const json = await fetchJson(PROVIDER, new URL('/turnstile/v0/siteverify', url), {
        ...{ method: 'POST', body: asked.toString() },
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      const answer = Answer(json);
      if (answer instanceof type.errors) throw new ProviderError(PROVIDER, 'answered something else');
      if (!answer.success) {
        const late = answer['error-codes']?.includes('timeout-or-duplicate');
        return { passed: false, reason: late ? 'expired' : 'wrong' };
      }
      if (answer.hostname !== hostname) return { passed: false, reason: 'wrong' };
      if (answer.action !== scope) return { passed: false, reason: 'other-scope' };
      const expiresAt = new Date(Date.parse(answer.challenge_ts ?? '') + TOKEN_MS);
      if (!(expiresAt > now)) return { passed: false, reason: 'expired' };
      const begunAt = new Date(expiresAt.getTime() - TOKEN_MS);
      // Turnstile makes its own challenge harder for whom it suspects: what passed counts at any price.
      const id = createHash('sha256').update(payload).digest('hex');
      return { passed: true, id, price: mostPrice, begunAt, expiresAt };
    },
  };
}

const CHALLENGE_MS = 5 * 60_000;

type AltchaOptions = Readonly<{
  /** Server secret; the two signing keys are derived from it. */
  secret: Buffer;
  /** PBKDF2 iterations per guess at price 1: 2,000 keep a phone busy for about a second. */
  cost: number;
}>;

/** How many guesses a browser makes before it finds the answer: at least, and below. */
const GUESSES = [1_500, 3_000] as const;

/** ALTCHA proof of work: no third party, nothing to click. A challenge lives five minutes. */
export function createAltchaBotCheck({ secret, cost }: AltchaOptions): BotCheck {
  const keys = {
    hmacSignatureSecret: derive(secret, 'challenge'),
    hmacKeySignatureSecret: derive(secret, 'answer'),
  };
  return {
    challenge: ({ scope, price }, now) =>
      createChallenge({
        ...keys,
        algorithm: 'PBKDF2/SHA-256',
        cost: cost * price,
        counter: randomInt(...GUESSES),
        deriveKey,
        // In the signed data, not in the library's own field: that one is read against the machine's clock.
        data: { scope, price, expiresAt: now.getTime() + CHALLENGE_MS },
      }),

    async verify(scope, payload, now): Promise<BotCheckVerdict> {
      const parsed = parsePayload(payload);
      if (!parsed) return { passed: false, reason: 'wrong' };
      const { verified } = await verifySolution({ ...keys, ...parsed, deriveKey });
      const { nonce, data } = parsed.challenge.parameters;
      if (!verified || !data) return { passed: false, reason: 'wrong' };
      if (data.expiresAt <= now.getTime()) return { passed: false, reason: 'expired' };
      if (data.scope !== scope) return { passed: false, reason: 'other-scope' };
      const { price, expiresAt } = data;
      return {
        passed: true,
        id: nonce,
        price,
        begunAt: new Date(price > 1 ? 0 : expiresAt - CHALLENGE_MS),
        expiresAt: new Date(expiresAt),
      };
    },
  };
}

function derive(secret: Buffer, purpose: string): string {
  return createHmac('sha256', secret).update(`bot-check ${purpose}`).digest('hex');
}

const price = type(`1 <= number.integer <= ${mostPrice}` as const);
const hex = type('/^(?:[0-9a-f]{2}){1,64}$/');

const Payload = type({
  challenge: {
    parameters: {
      algorithm: 'string <= 40',
      nonce: hex,
      salt: hex,
      cost: 'number.integer > 0',
      keyLength: 'number.integer > 0',
      keyPrefix: hex,
      'keySignature?': hex,
      'data?': {
        scope: 'string <= 40',
        price,
        expiresAt: 'number.integer',
        '+': 'reject',
      },
      '+': 'reject',
    },
    signature: hex,
    '+': 'reject',
  },
  solution: { counter: 'number.integer >= 0', derivedKey: hex, 'time?': 'number', '+': 'reject' },
  '+': 'reject',
});
type AltchaPayload = typeof Payload.infer;

const SOLUTION_CHARACTERS = 4_096;

/** Reads what the browser sends: base64 of JSON `{ challenge, solution }`. Null when it is anything else. */
function parsePayload(text: string): AltchaPayload | null {
  if (text.length > SOLUTION_CHARACTERS) return null;
  let decoded: unknown;
  try {
    decoded = JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
  } catch {
    return null;
  }
  const payload = Payload(decoded);
  return payload instanceof type.errors ? null : payload;
}

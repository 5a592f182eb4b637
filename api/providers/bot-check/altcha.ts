import { createHmac, randomInt } from 'node:crypto';
import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { type } from 'arktype';
import { type BotCheck, type BotCheckVerdict, mostPrice } from './bot-check.ts';

const LIFETIME_MS = 5 * 60_000;

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
        data: { scope, price, expiresAt: now.getTime() + LIFETIME_MS },
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
        begunAt: new Date(price > 1 ? 0 : expiresAt - LIFETIME_MS),
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

const MAX_CHARACTERS = 4_096;

/** Reads what the browser sends: base64 of JSON `{ challenge, solution }`. Null when it is anything else. */
function parsePayload(text: string): AltchaPayload | null {
  if (text.length > MAX_CHARACTERS) return null;
  let decoded: unknown;
  try {
    decoded = JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
  } catch {
    return null;
  }
  const payload = Payload(decoded);
  return payload instanceof type.errors ? null : payload;
}

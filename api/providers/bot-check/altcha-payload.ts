import { type } from 'arktype';
import { mostPrice } from './bot-check.ts';

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
export type AltchaPayload = typeof Payload.infer;

const MAX_CHARACTERS = 4_096;

/** Reads what the browser sends: base64 of JSON `{ challenge, solution }`. Null when it is anything else. */
export function parsePayload(text: string): AltchaPayload | null {
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

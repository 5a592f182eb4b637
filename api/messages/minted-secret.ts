import { createHmac } from 'node:crypto';
import type { Config } from '#api/runtime/config/config.ts';
import type { OutboxMessage } from './outbox/outbox.ts';

/**
 * The secret that a message carries, 256 bits as base64url: the same for every try, so that a repeat is good for the same
 * and for no other message or purpose. Nothing that is stored gives it away; store its hash.
 */
export function mintedSecret(
  { keys }: Pick<Config, 'keys'>,
  { id, kind }: Pick<OutboxMessage, 'id' | 'kind'>,
  purpose = '',
): string {
  return createHmac('sha256', keys.token).update(`message ${kind} ${id} ${purpose}`).digest('base64url');
}

/** Six digits that a person types, made the same way: the same for every try of a message. */
export function mintedCode(
  config: Pick<Config, 'keys'>,
  message: Pick<OutboxMessage, 'id' | 'kind'>,
): string {
  const number = Buffer.from(mintedSecret(config, message), 'base64url').readUIntBE(0, 6) % 1_000_000;
  return String(number).padStart(6, '0');
}

import { createHash, randomBytes } from 'node:crypto';
import { HttpError } from '#api/http/errors.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';

const RID = /^[A-Za-z0-9_-]{43}$/;
/** Where the ids of everything that a registration opens come from. */
const REGISTRATIONS = '0f2b8c94-6c1e-5d1a-9a37-2f60c8e5d7b1';

/** The secret that a browser goes on with: 256 random bits. Stored nowhere. */
export function newRid(): string {
  return randomBytes(32).toString('base64url');
}

/** The secret in a request's `x-rid`; null when there is none of ours. */
export function ridOf(headers: Headers): string | null {
  const rid = headers.get('x-rid') ?? '';
  return RID.test(rid) ? rid : null;
}

/** What a registration is called everywhere: the hash of its secret, which opens nothing. */
export function registrationIdOf(rid: string): string {
  return createHash('sha256').update(rid).digest('hex');
}

/** The ids that follow from a registration: the same ones in whichever process it is finished, and however often. */
export function idsOf(registrationId: string) {
  const commandId = uuidV5(REGISTRATIONS, registrationId);
  return {
    commandId,
    accountId: uuidV5(commandId, 'account'),
    businessId: uuidV5(commandId, 'business'),
    /** Who acts in the events: the account that is to be. */
    actor: `account:${uuidV5(commandId, 'account')}`,
  };
}

/** One answer for a registration that never was, ran out or is over: a guessed secret tells nothing. */
export function noRegistration(): HttpError {
  return new HttpError(404, 'This registration was not found, please start again');
}

import type { Clock, Deps } from '#api/deps.ts';
import { botCheckFailed } from '#api/http/answers.ts';
import { spendTicket } from '#api/http/bot-check-tickets.ts';
import { hashSource } from '#api/http/client-address.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { contextOf } from '#api/http/request-context.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import type { Plan } from '#core/values/product.ts';
import { type DeviceNotes, openDraft } from './drafts.ts';
import {
  causeOf,
  decideRegistration,
  newRid,
  type Registration,
  registrationIdOf,
} from './load-registration.ts';

/** Drafts that one address may begin: enough for an office behind one address, too few for a script. */
const PER_SOURCE = { name: 'registration-source', points: 20, seconds: 3_600 };

/** Begins a registration for a request with a solved bot check, which counts once. Answers its secret. */
export function startRegistration(deps: Clock & Pick<Deps, 'config' | 'db' | 'store'>) {
  const limiter = sharedLimiter(deps, PER_SOURCE);

  return async (plan: Plan, request: Request): Promise<{ rid: string; registration: Registration }> => {
    const sourceHash = hashSource(contextOf(request).ip, deps.config.keys.botCheck);
    await limiter.consume(sourceHash);
    const rid = newRid();
    const registrationId = registrationIdOf(rid);
    const now = deps.now();
    await inTransaction(deps.db, async (db) => {
      const ticket = request.headers.get('x-bot-check') ?? '';
      if (!(await spendTicket(db, ticket, 'registration', now))) {
        throw botCheckFailed('The bot check was used or is too old, please try again');
      }
      await openDraft(db, { registrationId, sourceHash, device: deviceNotes(request.headers) }, now);
    });
    const command = {
      type: 'StartRegistration',
      at: now.toISOString(),
      data: { registrationId, plan },
    } as const;
    const state = await decideRegistration(deps, command, { cause: causeOf(request) });
    return { rid, registration: { ...state, draft: state.recorded } };
  };
}

/**
 * What a browser says of itself in the headers of a new registration. It decides nothing: it is stored as long
 * as the draft, for an operator who looks into a flood of registrations. What makes no sense is left out.
 */
function deviceNotes(headers: Headers): DeviceNotes {
  return {
    screenWidth: wholeNumber(headers.get('x-screen-width'), 1, 100_000),
    screenHeight: wholeNumber(headers.get('x-screen-height'), 1, 100_000),
    colourDepth: wholeNumber(headers.get('x-colour-depth'), 1, 64),
    language: languageTag(headers.get('x-language')),
    timezoneOffset: wholeNumber(headers.get('x-timezone-offset'), -1_000, 1_000),
  };
}

function wholeNumber(text: string | null, least: number, most: number): number | null {
  const value = text !== null && /^-?\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : null;
}

function languageTag(text: string | null): string | null {
  return text !== null && /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/.test(text) ? text : null;
}

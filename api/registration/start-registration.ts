import { spendTicket } from '#api/bot-check/tickets.ts';
import type { Deps } from '#api/deps.ts';
import { badRequest } from '#api/http/http-errors.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { contextOf } from '#api/http/request-context.ts';
import { inTransaction } from '#api/http/transaction.ts';
import { hashSource } from '#api/public-forms/intake-limits.ts';
import type { Plan } from '#core/values/plan.ts';
import { deviceNotes } from './device-notes.ts';
import { openDraft } from './drafts.ts';
import { decideRegistration, type Registration } from './open-registration.ts';
import { newRid, registrationIdOf } from './rid.ts';

/** Drafts that one address may begin: a whole office registers behind one, a script wants more. */
const PER_SOURCE = { name: 'registration-source', points: 20, seconds: 3_600 };

/** Begins a registration for whoever passed the bot check, which counts once. Answers its secret. */
export function startRegistration(deps: Deps) {
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
        throw badRequest('The bot check was used or is too old, please try again');
      }
      await openDraft(db, { registrationId, sourceHash, device: deviceNotes(request.headers) }, now);
    });
    const command = {
      type: 'StartRegistration',
      at: now.toISOString(),
      data: { registrationId, plan },
    } as const;
    return { rid, registration: await decideRegistration(deps, command, { request }) };
  };
}

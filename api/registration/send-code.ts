import { spendTicket } from '#api/bot-check/tickets.ts';
import type { Deps } from '#api/deps.ts';
import { botCheckNeeded, HttpError } from '#api/http/http-errors.ts';
import { contextOf } from '#api/http/request-context.ts';
import { inTransaction } from '#api/http/transaction.ts';
import { queueMessage } from '#api/messages/outbox.ts';
import { parsePhone, phoneMessage } from '#core/values/phone.ts';
import { admitCode, type CodeAdmission, hashOf, resendAfter, type SpentLimit } from './code-budget.ts';
import { codeLife, expectCode } from './codes.ts';
import { assertFreeMobile } from './free-identity.ts';
import type { OpenRegistration } from './open-registration.ts';
import type { Asking } from './verify-phone.ts';

const refusals: Record<SpentLimit | 'draft', string> = {
  number: 'We have just sent a code to this number. Please wait a while before you ask for another',
  source: 'Too many codes were asked for from here. Please try again in an hour',
  everybody: 'We cannot send codes just now. Please try again in an hour',
  draft: 'No more codes can be sent for this registration. Please contact support',
};

/**
 * Sends a code to the draft's mobile, within the budget. Throws 400 with a message for every refusal (spec.md §8, Phone send
 * failure), with `botCheck` where a check comes first, 409 alone when another account has the
 * number, 429 for too many different ones.
 */
export async function sendCode(
  deps: Deps,
  { registrationId, registration }: OpenRegistration,
  { request, countQuestion }: Asking,
): Promise<{ phone: string; resendAfter: number; expiresIn: number; codesLeft: number }> {
  const { phone: typed, region } = registration.answers;
  const phone = parsePhone(typed, region ?? undefined);
  if (phone === null) throw new HttpError(400, phoneMessage);
  if (phone === registration.verifiedPhone)
    throw new HttpError(400, 'This mobile number is verified already', { payload: { phoneVerified: true } });
  const { ip: address } = contextOf(request);
  await countQuestion({ registrationId, kind: 'mobile', value: phone, address });
  await assertFreeMobile(deps, registrationId, phone);
  const now = deps.now();
  const messageId = deps.newId();
  const { keys, codesPerHour, rateLimits } = deps.config;
  const codesLeft = await inTransaction(deps.db, async (db) => {
    // The budget first: under a flood it refuses with a single query.
    if (rateLimits === 'on') {
      const numberHash = hashOf('number', phone, keys.claim);
      const sourceHash = hashOf('source', address, keys.claim);
      const ticket = request.headers.get('x-bot-check');
      const check = ticket === null ? null : await spendTicket(db, ticket, 'code', now);
      const rate = { perHour: codesPerHour, paid: check?.price ?? 0, isSignedIn: false };
      const admission = await admitCode(db, { messageId, numberHash, sourceHash }, rate, now);
      if (!admission.admitted) throw refusal(deps, admission);
    }
    const left = await expectCode(db, deps.config, { registrationId, phone, messageId }, now);
    if (left === null) throw new HttpError(400, refusals.draft);
    const expiresAt = new Date(now.getTime() + codeLife);
    const data = { registrationId };
    await queueMessage(db, { id: messageId, kind: 'sms-code', data, expiresAt }, now);
    return left;
  });
  deps.messages?.poke();
  return { phone, resendAfter, expiresIn: codeLife / 1_000, codesLeft };
}

function refusal({ logger }: Deps, refused: Extract<CodeAdmission, { admitted: false }>): HttpError {
  if (refused.spent === null) {
    logger.warn({ event: 'code-check-needed', price: refused.price });
    return botCheckNeeded({ scope: 'code', price: refused.price });
  }
  const { spent: limit, retryAfterSeconds } = refused;
  // What everybody may send in an hour is only used up when something is wrong: an operator has to look.
  if (limit === 'everybody') logger.error({ event: 'code-budget-spent', retryAfterSeconds });
  else logger.warn({ event: 'code-refused', limit });
  return new HttpError(400, refusals[limit], { headers: { 'retry-after': String(retryAfterSeconds) } });
}

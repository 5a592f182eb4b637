import {
  acceptCode,
  type CodeAcceptance,
  type CountQuestion,
  codeRefusals,
  countQuestions,
  hashOf,
  resendAfter,
} from '#api/accounts/contact-budgets.ts';
import {
  isReserved,
  type ReservationKind,
  reservationKey,
  takenMessages,
} from '#api/accounts/reservations.ts';
import type { Clock, Deps } from '#api/deps.ts';
import { botCheckNeeded, HttpError, invalid } from '#api/http/answers.ts';
import { spendTicket } from '#api/http/bot-check-tickets.ts';
import { contextOf } from '#api/http/request-context.ts';
import { queueMessage } from '#api/outbox/queue.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import {
  mobileOf,
  type RegistrationDraft,
  changePhone as withPhone,
  verifyEmail as withVerifiedEmail,
  verifyPhone as withVerifiedPhone,
} from '#core/registration/draft.ts';
import { emailMessage, isEmail, normaliseEmail } from '#core/values/contact.ts';
import { isSmsCode, mobileProblem } from '#core/values/registration-steps.ts';
import { phoneMessage, readPhone } from '#core/values/typed-phone.ts';
import { changeDraft } from './change-draft.ts';
import { causeOf, idsOf, type OpenRegistration, type RegistrationDeps } from './load-registration.ts';
import { codeLife, expectCode, spendCode, voidCodes } from './sms-codes.ts';

/**
 * Makes an email the draft's own, found to be no other account's. Throws 422 for what is none, 409 for one that is signed up, 429
 * for too many different ones.
 */
export function verifyEmail(deps: RegistrationDeps) {
  const countQuestion = countQuestions(deps);

  return async (open: OpenRegistration, typed: string, request: Request) => {
    const { registrationId } = open;
    const email = normaliseEmail(typed);
    if (!isEmail(email)) throw invalid({ email: emailMessage }, emailMessage);
    const { ip: address } = contextOf(request);
    await countQuestion({ registrationId, kind: 'email', value: email, address });
    await assertFreeEmail(deps, registrationId, email);
    await changeDraft(deps, open, (draft) => withVerifiedEmail(draft, email), causeOf(request));
    return email;
  };
}

const wrongCode = 'Wrong code';

/** The request, and what counts that it asks about a number. */
export type Asking = Readonly<{ request: Request; countQuestion: CountQuestion }>;

/**
 * Makes a mobile the draft's own, and answers whether it is the verified one; a code for another one counts no more. Throws
 * 400 with a message for what is no mobile of the region, 409 when another account has it, 429 for too many
 * different ones.
 */
export async function changePhone(
  deps: RegistrationDeps,
  open: OpenRegistration,
  typed: string,
  { request, countQuestion }: Asking,
): Promise<Readonly<{ phone: string; phoneVerified: boolean }>> {
  const { registrationId } = open;
  const before = open.registration.draft;
  const phone = readPhone(typed, before.answers.region);
  if (phone === null) throw noMobile(typed, before);
  const { ip: address } = contextOf(request);
  await countQuestion({ registrationId, kind: 'mobile', value: phone, address });
  await assertFreeMobile(deps, registrationId, phone);
  await changeDraft(deps, open, (draft) => withPhone(draft, phone), causeOf(request));
  const phoneVerified = phone === before.verifiedPhone;
  if (!phoneVerified) await voidCodes(deps.db, registrationId);
  return { phone, phoneVerified };
}

function noMobile(typed: string, { answers: { region } }: Pick<RegistrationDraft, 'answers'>): HttpError {
  return new HttpError('not-a-mobile', mobileProblem(typed, region) ?? phoneMessage);
}

/** The code that was sent to the draft's mobile came back. Throws 400 for any other, and for one that is over. */
export async function verifyCode(
  deps: RegistrationDeps,
  open: OpenRegistration,
  typed: string,
  request: Request,
): Promise<string> {
  const code = typed.replace(/\s/g, '');
  const { registrationId, registration } = open;
  const phone = mobileOf(registration.draft);
  if (phone === null || !isSmsCode(code)) throw new HttpError('wrong-code', wrongCode);
  const messageId = await inTransaction(deps.db, (db) =>
    spendCode(db, deps.config, { registrationId, phone }, code, deps.now()),
  );
  if (messageId === null) throw new HttpError('wrong-code', wrongCode);
  await changeDraft(deps, open, (draft) => withVerifiedPhone(draft, phone), causeOf(request));
  return phone;
}

const noneLeft = 'No more codes can be sent for this registration. Please contact support';

/**
 * Sends a code to the draft's mobile, within the budget. Throws 400 with a message for every refusal, with `botCheck` where
 * a check comes first, 409 alone when another account has the number, 429 for too many different ones.
 */
export async function sendCode(
  deps: Clock & Pick<Deps, 'config' | 'db' | 'logger' | 'messages'>,
  { registrationId, registration }: OpenRegistration,
  { request, countQuestion }: Asking,
): Promise<{ phone: string; resendAfter: number; expiresIn: number; codesLeft: number }> {
  const { draft } = registration;
  const phone = mobileOf(draft);
  if (phone === null) throw noMobile(draft.answers.phone, draft);
  if (phone === draft.verifiedPhone)
    throw new HttpError('mobile-verified', 'This mobile number is verified already', {
      payload: { phoneVerified: true },
    });
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
      const acceptance = await acceptCode(db, { messageId, numberHash, sourceHash }, rate, now);
      if (!acceptance.accepted) throw refusal(deps, acceptance);
    }
    const left = await expectCode(db, deps.config, { registrationId, phone, messageId }, now);
    if (left === null) throw new HttpError('no-code-sent', noneLeft);
    const expiresAt = new Date(now.getTime() + codeLife);
    const data = { registrationId };
    await queueMessage(db, { id: messageId, kind: 'sms-code', data, expiresAt }, now);
    return left;
  });
  deps.messages?.notify();
  return { phone, resendAfter, expiresIn: codeLife / 1_000, codesLeft };
}

function refusal(
  { logger }: Pick<Deps, 'logger'>,
  refused: Extract<CodeAcceptance, { accepted: false }>,
): HttpError {
  if (refused.spent === null) {
    logger.warn({ event: 'code-check-needed', price: refused.price });
    return botCheckNeeded({ scope: 'code', price: refused.price });
  }
  const { spent: limit, retryAfterSeconds } = refused;
  // What the product may send in an hour is only used up when something is wrong: an operator has to look.
  if (limit === 'all') logger.error({ event: 'code-budget-spent', retryAfterSeconds });
  else logger.warn({ event: 'code-refused', limit });
  return new HttpError('no-code-sent', codeRefusals[limit], {
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
}

type AssertingDeps = Pick<Deps, 'config' | 'db' | 'now'>;

/** Throws 409 when another account has the email (in its one spelling), or is about to. */
function assertFreeEmail(deps: AssertingDeps, registrationId: string, email: string): Promise<void> {
  return assertFree(deps, registrationId, 'email', email);
}

/** Throws 409 when another account has the mobile (E.164), or is about to. */
function assertFreeMobile(deps: AssertingDeps, registrationId: string, phone: string): Promise<void> {
  return assertFree(deps, registrationId, 'mobile', phone);
}

async function assertFree(
  deps: AssertingDeps,
  registrationId: string,
  kind: ReservationKind,
  value: string,
): Promise<void> {
  const { accountId } = idsOf(registrationId);
  const key = reservationKey(deps.config, kind, value);
  if (await isReserved(deps.db, { kind, key }, accountId, deps.now())) {
    throw new HttpError('taken', takenMessages[kind]);
  }
}

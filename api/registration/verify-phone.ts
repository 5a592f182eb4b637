import type { Deps } from '#api/deps.ts';
import { HttpError } from '#api/http/http-errors.ts';
import { contextOf } from '#api/http/request-context.ts';
import { inTransaction } from '#api/http/transaction.ts';
import { parsePhone, phoneMessage } from '#core/values/phone.ts';
import { isSmsCode } from '#core/values/registration-steps.ts';
import type { CountQuestion } from './asked-identities.ts';
import { spendCode, voidCode } from './codes.ts';
import { assertFreeMobile } from './free-identity.ts';
import { decideRegistration, type OpenRegistration } from './open-registration.ts';

const wrongCode = 'Wrong code';

/** The request, and what counts that it asks about a number. */
export type Asking = Readonly<{ request: Request; countQuestion: CountQuestion }>;

/**
 * Makes a mobile the draft's own, and answers whether it is the verified one; a code for another one counts no more. Throws
 * 400 with a message for what is no mobile of the region, 409 when another account has it, 429 for too many
 * different ones.
 */
export async function changePhone(
  deps: Deps,
  { registrationId, registration }: OpenRegistration,
  typed: string,
  { request, countQuestion }: Asking,
): Promise<Readonly<{ phone: string; phoneVerified: boolean }>> {
  const phone = parsePhone(typed, registration.answers.region ?? undefined);
  if (phone === null) throw new HttpError(400, phoneMessage);
  const { ip: address } = contextOf(request);
  await countQuestion({ registrationId, kind: 'mobile', value: phone, address });
  await assertFreeMobile(deps, registrationId, phone);
  const command = {
    type: 'ChangeRegistrationPhone',
    at: deps.now().toISOString(),
    data: { registrationId, phone },
  } as const;
  await decideRegistration(deps, command, { request });
  const phoneVerified = phone === registration.verifiedPhone;
  if (!phoneVerified) await voidCode(deps.db, registrationId);
  return { phone, phoneVerified };
}

/** The code that was sent to the draft's mobile came back. Throws 400 for any other, and for one that is over. */
export async function verifyCode(
  deps: Deps,
  { registrationId, registration }: OpenRegistration,
  typed: string,
  request: Request,
): Promise<string> {
  const code = typed.replace(/\s/g, '');
  const phone = parsePhone(registration.answers.phone, registration.answers.region ?? undefined);
  if (phone === null || !isSmsCode(code)) throw new HttpError(400, wrongCode);
  const messageId = await inTransaction(deps.db, (db) =>
    spendCode(db, deps.config, { registrationId, phone }, code, deps.now()),
  );
  if (messageId === null) throw new HttpError(400, wrongCode);
  const command = {
    type: 'VerifyRegistrationPhone',
    at: deps.now().toISOString(),
    data: { registrationId, phone },
  } as const;
  await decideRegistration(deps, command, { request });
  return phone;
}

import { newPasswordProblem } from '#api/authenticate/new-password.ts';
import { passwords } from '#api/authenticate/passwords.ts';
import type { Deps } from '#api/deps.ts';
import { HttpError, invalid } from '#api/http/http-errors.ts';
import { IllegalTransitionError } from '#core/kernel/errors.ts';
import { unfinishedMessage } from '#core/registration/decider.ts';
import type { Answers } from '#core/registration/events.ts';
import { stepAnswers } from '#core/registration/state.ts';
import { nameWithAddressMessage } from '#core/values/business-details.ts';
import { normaliseEmail } from '#core/values/email.ts';
import { parsePhone } from '#core/values/phone.ts';
import { defaultLocation, furthestStep } from '#core/values/registration-steps.ts';
import { namesAnAddress } from '#core/values/web-address.ts';
import type { BusinessLookup } from './business-lookup.ts';
import { keepPendingCredential } from './drafts.ts';
import { decideRegistration, type OpenRegistration, type Registration } from './load-registration.ts';
import type { DraftBody } from './request-bodies.ts';
import { voidCode } from './sms-codes.ts';

/**
 * Saves a draft as its browser sent it: what it says of verified, complete or paid for is left out, the business comes
 * from the register, and a password is hashed before anything else sees it. Throws 422 with fields for what cannot be
 * kept, 409 for a step that lies behind one that is not done.
 */
export async function saveDraft(
  deps: Deps,
  lookup: BusinessLookup,
  { registrationId, draft, registration }: OpenRegistration,
  body: DraftBody,
  request: Request,
): Promise<Registration> {
  const answers = await answersOf(lookup, registration.answers, body);
  const choosesPassword = await keepPassword(deps, registrationId, body, {
    expiresAt: draft.expiresAt,
    email: answers.email ?? registration.answers.email,
  });
  const data = { registrationId, step: body.step ?? null, answers, choosesPassword };
  const command = { type: 'SaveRegistration', at: deps.now().toISOString(), data } as const;
  try {
    const saved = await decideRegistration(deps, command, { request });
    if (mobileOf(saved) !== mobileOf(registration)) await voidCode(deps.db, registrationId);
    return saved;
  } catch (error) {
    if (!(error instanceof IllegalTransitionError)) throw error;
    throw unfinished({
      ...registration,
      answers: { ...registration.answers, ...answers },
      passwordSet: registration.passwordSet || choosesPassword,
    });
  }
}

/** The draft's mobile however it is written, E.164; null for what is none. */
function mobileOf({ answers: { phone, region } }: Registration): string | null {
  return parsePhone(phone, region ?? undefined);
}

/** 409 with the first step that is not done. */
export function unfinished(registration: Registration): HttpError {
  const answers = stepAnswers(registration);
  const message = namesAnAddress(answers.tradingName) ? nameWithAddressMessage : unfinishedMessage;
  return new HttpError(409, message, { payload: { step: furthestStep(answers) } });
}

async function keepPassword(
  { db, now }: Deps,
  registrationId: string,
  { verify }: DraftBody,
  { expiresAt, email }: Readonly<{ expiresAt: Date; email: string }>,
): Promise<boolean> {
  const password = verify?.password;
  if (password === undefined || password === '') return false;
  const problem = newPasswordProblem(password, normaliseEmail(email));
  if (problem !== null) throw invalid({ 'verify.password': problem }, problem);
  const hash = await passwords.hash(password);
  await keepPendingCredential(db, registrationId, { hash, expiresAt }, now());
  return true;
}

async function answersOf(
  lookup: BusinessLookup,
  before: Answers,
  body: DraftBody,
): Promise<Partial<Answers>> {
  const { region, trades, specialties, entity, location, verify } = body;
  const names = { ...entity, ...body.user };
  const { email, phone, subscribe, terms } = verify ?? {};
  return {
    ...given({ region, trades, specialties, email, phone, subscribe, terms }),
    ...given({ firstName: names.firstName ?? undefined, lastName: names.lastName ?? undefined }),
    ...(location ? { location: { ...location, zoom: location.zoom ?? defaultLocation.zoom } } : {}),
    ...(entity === undefined ? {} : await lookup.answered(before, region ?? before.region, entity)),
  };
}

/** What was sent: a key that was not stays as it was. */
function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

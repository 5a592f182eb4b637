import { newPasswordProblem, passwordsOf } from '#api/accounts/passwords.ts';
import type { BusinessLookup } from '#api/businesses/business-lookup.ts';
import { HttpError, invalid } from '#api/http/answers.ts';
import type { Turn } from '#api/http/gate.ts';
import { ConflictError, IllegalTransitionError } from '#core/kernel/errors.ts';
import { pause } from '#core/kernel/pause.ts';
import { missingMilestones } from '#core/registration/decider.ts';
import {
  changedMessage,
  isSame,
  mobileOf,
  type RegistrationDraft,
  saveAnswers,
  stepAnswers,
  unfinishedMessage,
} from '#core/registration/draft.ts';
import type { Answers } from '#core/registration/events.ts';
import { normaliseEmail } from '#core/values/contact.ts';
import { nameWithAddressMessage } from '#core/values/names.ts';
import { defaultLocation, furthestStep } from '#core/values/registration-steps.ts';
import { namesAnAddress } from '#core/values/web-address.ts';
import { storeDraft, storePendingCredential } from './drafts.ts';
import {
  decideRegistration,
  type LoadedRegistration,
  loadRegistration,
  noRegistration,
  type OpenRegistration,
  type Registration,
  type RegistrationCause,
  type RegistrationDeps,
} from './load-registration.ts';
import type { DraftBody } from './request-bodies.ts';
import { voidCodes } from './sms-codes.ts';

/** How often a change is decided again when another one was first. */
export const TRIES = 8;

/**
 * Changes a draft, and records in the log what it has done by that. Decides again on what another browser changed at the
 * same moment; throws ConflictError when that goes on, 404 when the registration is over, and whatever `change` throws.
 */
export async function changeDraft(
  deps: RegistrationDeps,
  open: OpenRegistration,
  change: (draft: RegistrationDraft) => RegistrationDraft,
  cause: RegistrationCause,
): Promise<OpenRegistration> {
  const { registrationId } = open;
  let { stored, registration }: LoadedRegistration = open;
  for (let attempt = 1; ; attempt += 1) {
    const draft = change(registration.draft);
    const revision = await storeChange(deps, { stored, registration }, draft);
    if (revision !== null) {
      const recorded = await recordMilestones(deps, { ...registration, draft }, cause);
      return { ...open, stored: { ...stored, revision }, registration: recorded };
    }
    if (attempt === TRIES) throw new ConflictError(changedMessage, 'changed-meanwhile');
    // Browsers that change it at the same moment part here, so that each has its turn.
    await pause(Math.random() * 10 * 2 ** Math.min(attempt, 4));
    const loaded = await loadRegistration(deps, registrationId);
    if (!loaded || loaded.registration.completed !== null) throw noRegistration();
    ({ stored, registration } = loaded);
  }
}

/** Answers the revision of the stored draft; null when another change was first. One that says the same is not stored. */
async function storeChange(
  deps: RegistrationDeps,
  { stored: { revision }, registration }: LoadedRegistration,
  draft: RegistrationDraft,
): Promise<number | null> {
  if (isSame(draft, registration.draft)) return revision;
  const { registrationId } = registration;
  return (await storeDraft(deps, { registrationId, revision }, draft)) ? revision + 1 : null;
}

/** Records what a stored draft has done and its events do not tell yet. */
export async function recordMilestones(
  deps: RegistrationDeps,
  registration: Registration,
  cause: RegistrationCause,
): Promise<Registration> {
  const { registrationId, draft } = registration;
  const at = cause.at ?? deps.now().toISOString();
  if (missingMilestones(registration, draft, at).length === 0) return registration;
  const command = { type: 'RecordMilestones', at, data: { registrationId, draft } } as const;
  return { ...(await decideRegistration(deps, command, { cause })), draft };
}

/**
 * Saves a draft as its browser sent it: what it says of verified, complete or paid for is left out, the business comes
 * from the register, and a password is hashed before anything else sees it. Throws 422 with fields for what cannot be
 * stored, 409 for a step that lies behind one that is not done.
 */
export async function saveDraft(
  deps: RegistrationDeps,
  lookup: BusinessLookup,
  open: OpenRegistration,
  body: DraftBody,
  cause: RegistrationCause & Readonly<{ turn: Turn }>,
): Promise<OpenRegistration> {
  const { registrationId, stored, registration } = open;
  const before = registration.draft;
  const answers = await answersOf(lookup, before.answers, body);
  const choosesPassword = await storePassword(deps, registrationId, body, {
    turn: cause.turn,
    expiresAt: stored.expiresAt,
    email: answers.email ?? before.answers.email,
  });
  const given = { step: body.step ?? null, answers, choosesPassword };
  try {
    const saved = await changeDraft(deps, open, (draft) => saveAnswers(draft, given), cause);
    if (mobileOf(saved.registration.draft) !== mobileOf(before)) await voidCodes(deps.db, registrationId);
    return saved;
  } catch (error) {
    if (!(error instanceof IllegalTransitionError)) throw error;
    throw unfinished({
      ...before,
      answers: { ...before.answers, ...answers },
      passwordSet: before.passwordSet || choosesPassword,
    });
  }
}

/** 409 with the first step that is not done. */
export function unfinished(draft: RegistrationDraft): HttpError {
  const answers = stepAnswers(draft);
  const { tradingName, firstName, lastName } = answers;
  const isAddress = [tradingName, firstName, lastName].some(namesAnAddress);
  const message = isAddress ? nameWithAddressMessage : unfinishedMessage;
  return new HttpError('unfinished', message, { payload: { step: furthestStep(answers) } });
}

async function storePassword(
  { config, db, now }: RegistrationDeps,
  registrationId: string,
  { verify }: DraftBody,
  { expiresAt, email, turn }: Readonly<{ expiresAt: Date; email: string; turn: Turn }>,
): Promise<boolean> {
  const password = verify?.password;
  if (password === undefined || password === '') return false;
  const problem = newPasswordProblem(password, normaliseEmail(email));
  if (problem !== null) throw invalid({ 'verify.password': problem }, problem);
  const hash = await passwordsOf(config).hash(password, turn);
  await storePendingCredential(db, registrationId, { hash, expiresAt }, now());
  return true;
}

async function answersOf(
  lookup: BusinessLookup,
  before: Answers,
  body: DraftBody,
): Promise<Partial<Answers>> {
  const { region, trades, specialties, entity, location, verify } = body;
  const names = { ...entity, ...body.user };
  const { email, phone, showPhone, subscribe, terms } = verify ?? {};
  return {
    ...given({ region, trades, specialties, email, phone, showPhone, subscribe, terms }),
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

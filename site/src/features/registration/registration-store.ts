import { atom, type ReadableAtom } from 'nanostores';
import type { Region } from '#core/values/region.ts';
import { furthestStep, lastStep } from '#core/values/registration-steps.ts';
import { readPhone } from '#core/values/typed-phone.ts';
import { ApiError, unknownFailure } from '#site/lib/http/api.ts';
import { type Drafts, draftsOf } from '#site/lib/offline/drafts.ts';
import { type Profile, sessionUser } from '#site/lib/profile.ts';
import { readRegistration, removeRegistration } from '#site/lib/session/session-storage.ts';
import { signIn } from '#site/lib/session/session-store.ts';
import { isRecord, type Shape } from '#site/lib/shape.ts';
import { answersOf, changesOf, isRegistration, type Registration } from './registration.ts';
import { completeRegistration, saveRegistration } from './registration-api.ts';

/** A draft beside the one that it was typed over. */
type Typed = Readonly<{ base: Registration; typed: Registration }>;

const isTyped = isRecord<Typed>({ base: isRegistration, typed: isRegistration });

/**
 * What was typed over one draft, in a newer one of the server's: only what was changed comes along. What the server alone
 * confirms holds only for the email and the mobile that it confirmed.
 */
export function rebased(served: Registration, { base, typed }: Typed): Registration {
  const { region, trades, specialties, entity, user, location } = changedOver(served, base, typed);
  const known = served.verify;
  const { email, phone, showPhone, subscribe, terms } = changedOver(known, base.verify, typed.verify);
  return {
    ...served,
    ...{ region, trades, specialties, entity, user, location },
    verify: {
      ...known,
      ...{ email, phone, showPhone, subscribe, terms },
      emailVerified: known.emailVerified && email === known.email,
      phoneVerified: known.phoneVerified && isSameMobile(phone, known.phone, region),
    },
  };
}

/** The newer values, and over them those that the applicant changed from the ones before. */
function changedOver<Part extends object>(newer: Part, before: Part, after: Part): Part {
  const keys = Object.keys(after) as (keyof Part)[];
  const isChanged = (key: keyof Part) => JSON.stringify(before[key]) !== JSON.stringify(after[key]);
  const changes = keys.filter(isChanged).map((key) => [key, after[key]]);
  return { ...newer, ...Object.fromEntries(changes) };
}

function isSameMobile(one: string, other: string, country: Region | null): boolean {
  const number = readPhone(one, country);
  return one === other || (number !== null && number === readPhone(other, country));
}

/** The zones that have New Zealand's time under a name of its own. */
const newZealand = [
  ...['Pacific/Auckland', 'Pacific/Chatham', 'Antarctica/McMurdo', 'Antarctica/South_Pole'],
  ...['NZ', 'NZ-CHAT'],
];

/** Where a device of this IANA zone most likely is: New Zealand for one of its zones, Australia for any other. */
export function regionOfZone(timeZone: string): Region {
  return newZealand.includes(timeZone) ? 'nz' : 'au';
}

/** Where this device most likely is. */
function deviceRegion(): Region {
  return regionOfZone(new Intl.DateTimeFormat().resolvedOptions().timeZone);
}

type SaveFailure = Readonly<{ message: string; fields: Readonly<Record<string, string>> }> | null;

const draft = atom<Registration | null>(null);
const password = atom('');
const isSaving = atom(false);
const failure = atom<SaveFailure>(null);

/** The draft with every keystroke in it; null until it was begun or loaded. */
export const $registration: ReadableAtom<Registration | null> = draft;
/** The password that was typed: in memory alone, and gone with the page. */
export const $password: ReadableAtom<string> = password;
/** Whether the draft is on its way to the server: nothing can be pressed meanwhile. */
export const $isSaving: ReadableAtom<boolean> = isSaving;
/** Why the last Next or Back did not get through, for the page and for its fields; null once the draft changes. */
export const $saveFailure: ReadableAtom<SaveFailure> = failure;

/** The draft as the server has it. */
let saved: Registration | null = null;
let unsaved: Drafts<Typed> | null = null;

/** What this tab stores of the registration beside what the server has; as `draftsOf`. */
export function draftsInTab<T>(form: string, shape: Shape<T>): Drafts<T> {
  return draftsOf(form, readRegistration()?.rid.slice(0, 12) ?? '', shape);
}

/** Accepts the server's draft. What was typed in this tab and never saved comes back into it. */
export function adoptRegistration(served: Registration): void {
  saved = served;
  unsaved = draftsInTab('registration', isTyped);
  const stored = unsaved.read();
  draft.set(withRegion(stored ? rebased(served, stored) : served));
}

/** Changes the draft; the next Next or Back saves it. */
export function changeRegistration(change: Partial<Registration>): void {
  const current = draft.get();
  if (!current) return;
  const typed = { ...current, ...change };
  failure.set(null);
  draft.set(typed);
  if (saved) unsaved?.write({ base: saved, typed });
}

/** Changes what is known of the email, the mobile and the rest of `verify`. */
export function changeVerify(change: Partial<Registration['verify']>): void {
  const current = draft.get();
  if (current) changeRegistration({ verify: { ...current.verify, ...change } });
}

/** Notes what the server confirmed of the draft's mobile, E.164, since the draft was saved. */
export function noteMobile(phone: string, phoneVerified: boolean): void {
  if (saved) saved = { ...saved, verify: { ...saved.verify, phone, phoneVerified } };
}

/** Whether a mobile, E.164, is the one that the server has, confirmed or not. */
export function isSavedMobile(mobile: string): boolean {
  const { region, verify } = saved ?? {};
  return verify !== undefined && readPhone(verify.phone, region ?? null) === mobile;
}

/** Whether a mobile, E.164, is the one that the server has as confirmed. */
export function isConfirmedMobile(mobile: string): boolean {
  return saved?.verify.phoneVerified === true && isSavedMobile(mobile);
}

export function typePassword(typed: string): void {
  failure.set(null);
  password.set(typed);
}

/**
 * Saves the draft as it goes to `step`, and shows it there. Everything typed stays where that fails.
 * @throws ApiError; `payload.step` is the first open step where one was skipped.
 */
export async function saveAt(step: number): Promise<void> {
  await send(async (before, current) => {
    saved = await saveRegistration(changesOf(before, current, step, password.get()));
    if (saved.verify.passwordSet && step > current.step) password.set('');
    const typed = draft.get();
    const isAsSent = typed === null || typed === current;
    if (isAsSent) unsaved?.remove();
    draft.set(withRegion({ ...(isAsSent ? saved : rebased(saved, { base: current, typed })), step }));
  });
}

/**
 * Opens the account and the business with what was entered, signs in, and shows the last step. Everything typed stays where that fails;
 * pressed again it happens once.
 * @throws ApiError; `payload.step` is the step whose answer is refused.
 */
export async function openAccount(): Promise<void> {
  const stored = readRegistration();
  if (!stored) throw new ApiError(unknownFailure, 404);
  await send(async (before, current) => {
    const changes = changesOf(before, current, lastStep, password.get());
    adoptAccount(await completeRegistration(stored.completionKey, changes));
    draft.set({ ...current, step: lastStep });
  });
}

/** One call at a time with the draft as the server has it and as it is; why it failed is noted. */
async function send(call: (before: Registration, current: Registration) => Promise<void>): Promise<void> {
  const current = draft.get();
  if (!current || !saved || isSaving.get()) return;
  isSaving.set(true);
  failure.set(null);
  try {
    await call(saved, current);
  } catch (error) {
    const reason = error instanceof ApiError ? error : new ApiError(unknownFailure, 0);
    failure.set({ message: reason.message, fields: reason.fields });
    throw reason;
  } finally {
    isSaving.set(false);
  }
}

/** Shows another step without saving, as the browser's own Back does; it is saved with whatever comes next. */
export function showStep(step: number): void {
  const current = draft.get();
  failure.set(null);
  if (current) draft.set({ ...current, step });
}

/** Puts what was entered into one registration into another; what was proved has to be proved again. */
export function retype(typed: Registration): void {
  if (saved) draft.set(withRegion(rebased(saved, { base: saved, typed })));
}

/** As far as the applicant may go: the first step that is not done, and no further than where the account is opened. */
export function reachableStep(): number {
  const current = draft.get();
  return current ? Math.min(furthestStep(answersOf(current, password.get())), lastStep - 1) : 0;
}

/** Removes the draft once it has become a business. */
function dropRegistration(): void {
  unsaved?.remove();
  password.set('');
}

function withRegion(registration: Registration): Registration {
  return { ...registration, region: registration.region ?? deviceRegion() };
}

/** The registration is done with: signs in to its account. */
export function adoptAccount({ token, user }: Readonly<{ token: string; user: Profile }>): void {
  dropRegistration();
  removeRegistration();
  signIn({ token, rememberMe: true, user: sessionUser(user) });
}

/** Where the set-up of a new business begins. */
export const setUpPath = '/profile/intro';

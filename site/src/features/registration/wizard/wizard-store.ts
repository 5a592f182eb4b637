import { atom, type ReadableAtom } from 'nanostores';
import { planFrom } from '#core/values/product.ts';
import { lastStep, stageOf, stepOf } from '#core/values/registration-steps.ts';
import { botCheck } from '#site/features/registration/bot-check.ts';
import type { Registration } from '#site/features/registration/registration.ts';
import {
  beginRegistration,
  completeRegistration,
  fetchRegistration,
} from '#site/features/registration/registration-api.ts';
import {
  $isSaving,
  $registration,
  adoptAccount,
  adoptRegistration,
  openAccount,
  reachableStep,
  retype,
  saveAt,
  setUpPath,
  showStep,
} from '#site/features/registration/registration-store.ts';
import { watchForFaults } from '#site/lib/fallback.ts';
import { ApiError } from '#site/lib/http/api.ts';
import { withRetries } from '#site/lib/http/query.ts';
import { newId } from '#site/lib/secure/new-id.ts';
import {
  readRegistration,
  readSession,
  removeRegistration,
  writeRegistration,
} from '#site/lib/session/session-storage.ts';
import { awaitToasts, toast } from '#site/ui/toast/toast.ts';
import { loadStep } from './step-views.ts';
import { placeInAddress, stageInAddress } from './wizard-path.ts';

/** What the page shows: the wizard itself is `open`. `message` is what is wrong. */
export type Phase = Readonly<
  { kind: 'checking' } | { kind: 'open' } | { kind: 'blocked' | 'failed'; message: string }
>;

const phase = atom<Phase>({ kind: 'checking' });
export const $phase: ReadableAtom<Phase> = phase;

/** Milliseconds until a bot check that failed is tried again. */
export const botCheckRetry = 8_000;
const botCheckFailure = 'Error occurred while loading captcha';
const loadFailure = 'An error occurred, please try again later';

let retry: ReturnType<typeof setTimeout> | undefined;

/** Goes on with the registration of this browser, or passes the bot check and begins one. Never rejects. */
export async function openRegistration(): Promise<void> {
  clearTimeout(retry);
  if (phase.get().kind === 'failed') toast.dismiss('registration');
  phase.set({ kind: 'checking' });
  // Meanwhile; what fails here is fetched again, and shown, when it is needed.
  void loadStep(stageOf(stepOf(stageInAddress()) ?? 0)).catch(() => {});
  try {
    if (isOpened()) return location.replace(setUpPath);
    if (readRegistration()) await resume();
    else await begin();
  } catch (error) {
    // The message of a limit names when to come back.
    const message = error instanceof ApiError && error.status === 429 ? error.message : loadFailure;
    toast.error(message, { id: 'registration' });
    phase.set({ kind: 'failed', message });
  }
}

/** Whether the account of the address's last step is open: that page was loaded again. */
function isOpened(): boolean {
  return stageInAddress() === stageOf(lastStep) && !readRegistration() && readSession() !== null;
}

async function resume(): Promise<void> {
  try {
    adoptRegistration(await withRetries(fetchRegistration, () => {}));
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
    if (await hasFinished()) return;
    removeRegistration();
    toast.info('Your last registration is over or too old. Here is a new one.', { id: 'registration' });
    return begin();
  }
  const { step } = $registration.get() ?? { step: 0 };
  await open(Math.min(stepOf(stageInAddress()) ?? step, reachableStep()));
}

/** Whether the registration is over because it came to its end, and the answer to that was lost: then goes on from there. */
async function hasFinished(): Promise<boolean> {
  const stored = readRegistration();
  const answer = stored && (await completeRegistration(stored.completionKey).catch(() => null));
  if (!answer) return false;
  adoptAccount(answer);
  location.replace(setUpPath);
  return true;
}

async function begin(): Promise<void> {
  const checked = await botCheck.ticket();
  if (checked.kind !== 'ok') return block();
  botCheck.drop();
  const plan = planFrom(new URLSearchParams(location.search).get('plan'));
  try {
    const { rid, registration } = await beginRegistration(plan, checked.payload.ticket);
    writeRegistration({ rid, completionKey: newId() });
    adoptRegistration(registration);
  } catch (error) {
    if (error instanceof ApiError && error.payload.code === 'bot-check-failed') return block();
    throw error;
  }
  await open(0);
}

/** The check was not passed: the page shows it, and tries again by itself. */
function block(): void {
  phase.set({ kind: 'blocked', message: botCheckFailure });
  retry = setTimeout(() => void openRegistration(), botCheckRetry);
}

async function open(step: number): Promise<void> {
  await loadStep(stageOf(step));
  showStep(step);
  placeInAddress('replaceState', step);
  phase.set({ kind: 'open' });
}

/**
 * Next and Back: saves the draft, then the address moves. Next of the step before the last opens the account. What fails is shown, and
 * everything stays as it is.
 */
export async function move(by: 1 | -1): Promise<void> {
  const current = $registration.get();
  if (!current || $isSaving.get()) return;
  const to = current.step + by;
  try {
    await loadStep(stageOf(to));
    if (to === lastStep) await openAccount();
    else await saveAt(to);
    toast.dismiss('registration');
    // There is no way back from an account that is open.
    placeInAddress(to === lastStep ? 'replaceState' : 'pushState', to);
  } catch (error) {
    await showFailure(error, current, to === lastStep);
  }
}

/** Shows a step that is known to be open, without saving. */
export async function goTo(step: number): Promise<void> {
  await loadStep(stageOf(step));
  showStep(step);
  placeInAddress('pushState', step);
}

/** Follows the browser's own Back and Forward, as far as the first step that is not done. Never rejects. */
export async function followAddress(): Promise<void> {
  const current = $registration.get();
  if ($phase.get().kind !== 'open' || !current) return;
  if (current.step === lastStep) return location.replace(setUpPath);
  const wanted = stepOf(stageInAddress()) ?? 0;
  const step = Math.min(wanted, reachableStep());
  try {
    await loadStep(stageOf(step));
  } catch {
    return placeInAddress('pushState', current.step);
  }
  showStep(step);
  placeInAddress('replaceState', step);
}

async function showFailure(error: unknown, typed: Registration, isLast: boolean): Promise<void> {
  if (error instanceof ApiError && error.status === 404) return startAnew(typed);
  if (!(error instanceof ApiError)) {
    toast.error(loadFailure, { title: 'Something went wrong', id: 'registration' });
    return;
  }
  // An email or a mobile that another account took meanwhile is changed where it was given.
  const open = error.payload.step ?? (isLast && error.payload.code === 'taken' ? stepOf('mobile') : null);
  if (open === null) return;
  await goTo(open);
  toast.error(error.message, { title: 'Something went wrong', id: 'registration' });
}

/**
 * The registration is there no more. Where another tab has finished it, this one goes where that one is signed in; else it
 * ran out, and another one begins with what had been entered.
 */
async function startAnew(typed: Registration): Promise<void> {
  if (!readRegistration() && readSession()) return location.replace('/');
  removeRegistration();
  await openRegistration();
  if ($phase.get().kind !== 'open') return;
  retype(typed);
  toast.info('Your registration ran out. We started another one with what you had entered.', {
    id: 'registration',
  });
}

/** Opens the draft of this browser, and follows its steps. */
export function startRegistration(): void {
  watchForFaults();
  awaitToasts();
  addEventListener('popstate', () => void followAddress());
  void openRegistration();
}

import { atom, type ReadableAtom } from 'nanostores';
import { planFrom } from '#core/values/plan.ts';
import { furthestStep, stageOf, stepOf } from '#core/values/registration-steps.ts';
import { ApiError } from '#site/lib/api.ts';
import { botCheckFor } from '#site/lib/bot-check/bot-check.ts';
import { forgetRegistration, readRegistration, writeRegistration } from '#site/lib/registration-id.ts';
import { withRetries } from '#site/lib/retry.ts';
import { toast } from '#site/lib/toast.ts';
import { answersOf } from './registration.ts';
import { beginRegistration, fetchRegistration } from './registration-api.ts';
import { $password, $registration, adoptRegistration, saveAt, showStep } from './registration-store.ts';
import { loadStep } from './step-views.ts';
import { pathOf, stageInPath, titleOf } from './wizard-path.ts';

/** What the page shows: the wizard itself is `open`. `message` says what is wrong. */
export type Phase = Readonly<
  { kind: 'checking' } | { kind: 'open' } | { kind: 'blocked' | 'failed'; message: string }
>;

const phase = atom<Phase>({ kind: 'checking' });
export const $phase: ReadableAtom<Phase> = phase;

/** Milliseconds until a bot check that failed is tried again (spec.md §9). */
export const botCheckRetry = 8_000;
export const botCheckFailure = 'Error occurred while loading captcha';
const loadFailure = 'An error occurred, please try again later';

const botCheck = botCheckFor('registration');
let retry: ReturnType<typeof setTimeout> | undefined;

/** Goes on with the registration of this browser, or passes the bot check and begins one. Never rejects. */
export async function openRegistration(): Promise<void> {
  clearTimeout(retry);
  phase.set({ kind: 'checking' });
  try {
    if (readRegistration()) await resume();
    else await begin();
  } catch {
    toast.error(loadFailure, { id: 'registration' });
    phase.set({ kind: 'failed', message: loadFailure });
  }
}

async function resume(): Promise<void> {
  try {
    adoptRegistration(await withRetries(fetchRegistration, () => {}));
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
    forgetRegistration();
    return begin();
  }
  const { step } = $registration.get() ?? { step: 0 };
  await open(Math.min(stepOf(stageInPath(location.pathname)) ?? step, reachable()));
}

async function begin(): Promise<void> {
  const checked = await botCheck.ticket();
  if (checked.kind !== 'ok') return block();
  botCheck.drop();
  const plan = planFrom(new URLSearchParams(location.search).get('plan'));
  try {
    const { rid, registration } = await beginRegistration(plan, checked.payload.ticket);
    writeRegistration({ rid, completionKey: newKey() });
    adoptRegistration(registration);
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return block();
    throw error;
  }
  await open(0);
}

/** The check was not passed: the page says so, and tries again by itself. */
function block(): void {
  phase.set({ kind: 'blocked', message: botCheckFailure });
  retry = setTimeout(() => void openRegistration(), botCheckRetry);
}

async function open(step: number): Promise<void> {
  await loadStep(stageOf(step));
  showStep(step);
  place('replaceState', step);
  phase.set({ kind: 'open' });
}

/** Next and Back: saves the draft, then the address moves. What fails is told, and everything stays as it is. */
export async function move(by: 1 | -1): Promise<void> {
  const current = $registration.get();
  if (!current) return;
  const to = current.step + by;
  try {
    await loadStep(stageOf(to));
    await saveAt(to);
    place('pushState', to);
  } catch (error) {
    const message = error instanceof ApiError ? error.message : loadFailure;
    toast.error(message, { title: 'Something went wrong', id: 'registration' });
    const open = error instanceof ApiError ? error.payload.step : undefined;
    if (typeof open === 'number') await goTo(open);
  }
}

/** Shows a step that is known to be open, without saving. */
export async function goTo(step: number): Promise<void> {
  await loadStep(stageOf(step));
  showStep(step);
  place('pushState', step);
}

/** Follows the browser's own Back and Forward, as far as the first step that is not done. Never rejects. */
export async function followAddress(): Promise<void> {
  const current = $registration.get();
  if (phase.get().kind !== 'open' || !current) return;
  const wanted = stepOf(stageInPath(location.pathname)) ?? 0;
  const step = Math.min(wanted, reachable());
  try {
    await loadStep(stageOf(step));
  } catch {
    return place('pushState', current.step);
  }
  showStep(step);
  if (step !== wanted) place('replaceState', step);
  document.title = titleOf(stageOf(step));
}

function reachable(): number {
  const current = $registration.get();
  return current ? furthestStep(answersOf(current, $password.get())) : 0;
}

function place(how: 'pushState' | 'replaceState', step: number): void {
  history[how](null, '', pathOf(stageOf(step)) + location.search);
  document.title = titleOf(stageOf(step));
}

/** A UUID, on pages without https too. */
function newKey(): string {
  if (isSecureContext) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, at) =>
    (at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte).toString(16).padStart(2, '0'),
  ).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

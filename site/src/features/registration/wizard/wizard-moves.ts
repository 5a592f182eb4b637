import { stageOf, stepOf } from '#core/values/registration-steps.ts';
import type { Registration } from '#site/features/registration/registration.ts';
import {
  $isSaving,
  $registration,
  reachableStep,
  retype,
  saveAt,
  showStep,
} from '#site/features/registration/registration-store.ts';
import { ApiError } from '#site/lib/http/api.ts';
import { readRegistration, removeRegistration } from '#site/lib/registration-id.ts';
import { readSession } from '#site/lib/session/session-storage.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { loadStep } from './step-views.ts';
import { placeInAddress, stageInAddress } from './wizard-address.ts';
import { $phase, loadFailure, openRegistration } from './wizard-store.ts';

/** Next and Back: saves the draft, then the address moves. What fails is shown, and everything stays as it is. */
export async function move(by: 1 | -1): Promise<void> {
  const current = $registration.get();
  if (!current || $isSaving.get()) return;
  const to = current.step + by;
  try {
    await loadStep(stageOf(to));
    await saveAt(to);
    toast.dismiss('registration');
    placeInAddress('pushState', to);
  } catch (error) {
    await showFailure(error, current);
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

async function showFailure(error: unknown, typed: Registration): Promise<void> {
  if (error instanceof ApiError && error.status === 404) return startAnew(typed);
  const message = error instanceof ApiError ? error.message : loadFailure;
  toast.error(message, { title: 'Something went wrong', id: 'registration' });
  const open = error instanceof ApiError ? error.payload.step : undefined;
  if (typeof open === 'number') await goTo(open);
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

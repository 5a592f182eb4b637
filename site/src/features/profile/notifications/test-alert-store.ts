import { atom, type ReadableAtom } from 'nanostores';
import { ApiError, unknownFailure } from '#site/lib/http/api.ts';
import { sendTestAlert, type TestedChannels } from './notifications-api.ts';

export type TestAlert = Readonly<
  | { phase: 'none' | 'sending' }
  | { phase: 'sent'; channels: TestedChannels }
  | { phase: 'failed'; message: string }
>;

const alert = atom<TestAlert>({ phase: 'none' });

/** The test alert that was asked for last, and which channel brought it. */
export const $testAlert: ReadableAtom<TestAlert> = alert;

/** Sends a test alert; while one is on its way nothing happens. Never rejects. */
export async function askForTestAlert(): Promise<void> {
  if (alert.get().phase === 'sending') return;
  alert.set({ phase: 'sending' });
  try {
    alert.set({ phase: 'sent', channels: await sendTestAlert() });
  } catch (error) {
    alert.set({ phase: 'failed', message: error instanceof ApiError ? error.message : unknownFailure });
  }
}

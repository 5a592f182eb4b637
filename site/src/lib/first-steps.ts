import { atom, onMount, type ReadableAtom } from 'nanostores';
import { browserValues } from '#site/lib/browser-storage.ts';
import { accountOf } from '#site/lib/session/session-storage.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { isFlag, isRecord, readShaped } from './shape.ts';

/** What is stored in this browser of an account's first steps; the rest shows in its profile. */
export type NotedSteps = Readonly<{
  /** The link to the job form was handed out. */
  isShared: boolean;
  /** Logo and colour were saved, though perhaps as they had been. */
  hasLook: boolean;
}>;

const none: NotedSteps = { isShared: false, hasLook: false };
const isFirstSteps = isRecord<NotedSteps>({ isShared: isFlag, hasLook: isFlag });

const steps = atom<NotedSteps>(none);

/** The first steps of the account that is signed in. */
export const $firstSteps: ReadableAtom<NotedSteps> = steps;

onMount(steps, () => steps.set(read()));

/** Notes what was done, in this browser. */
export function noteFirstStep(done: Partial<NotedSteps>): void {
  steps.set({ ...steps.get(), ...done });
  browserValues.setItem(keyOfAccount(), JSON.stringify(steps.get()));
}

function read(): NotedSteps {
  return readShaped(browserValues.getItem(keyOfAccount()), isFirstSteps) ?? none;
}

function keyOfAccount(): string {
  return `ute.first-steps.${accountOf($session.get()?.token ?? '')}`;
}

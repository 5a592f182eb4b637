import { useStore } from '@nanostores/react';
import { useSyncExternalStore } from 'react';
import type { StepAnswers } from '#core/values/registration-steps.ts';
import { answersOf, type Registration } from './registration.ts';
import { $password } from './registration-store.ts';
import { $phase, type Phase } from './wizard/wizard-store.ts';

const checking: Phase = { kind: 'checking' };

/** What the page shows. On the server, and while the page hydrates, it is being checked. */
export function usePhase(): Phase {
  return useSyncExternalStore<Phase>(
    (onChange) => $phase.listen(onChange),
    () => $phase.get(),
    () => checking,
  );
}

/** A draft as the rules of the steps look at it. */
export function useAnswers(registration: Registration): StepAnswers {
  return answersOf(registration, useStore($password));
}

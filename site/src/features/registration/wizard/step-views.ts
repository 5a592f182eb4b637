import type { ComponentType } from 'react';
import type { Region } from '#core/values/region.ts';
import { lastStep, type Stage, stageOf, stepOf } from '#core/values/registration-steps.ts';
import type { StepProps } from '#site/features/registration/registration.ts';

/** What a step shows between the progress and the bar. */
export type StepView = ComponentType<StepProps>;

const sources: Record<Stage, () => Promise<StepView>> = {
  region: async () => (await import('#site/features/registration/steps/RegionStep.tsx')).RegionStep,
  trades: async () => (await import('#site/features/registration/steps/TradesStep.tsx')).TradesStep,
  bn: async () => (await import('#site/features/registration/steps/BusinessStep.tsx')).BusinessStep,
  coverage: async () => (await import('#site/features/registration/steps/CoverageStep.tsx')).CoverageStep,
  mobile: async () => (await import('#site/features/registration/steps/ContactStep.tsx')).ContactStep,
  password: async () => (await import('#site/features/registration/steps/PasswordStep.tsx')).PasswordStep,
  done: async () => (await import('#site/features/registration/steps/DoneStep.tsx')).DoneStep,
};

const views = new Map<Stage, StepView>();

/** The view of a stage that was loaded. */
export function viewOf(stage: Stage): StepView | undefined {
  return views.get(stage);
}

/** Fetches the code of a step, once. Rejects where the network fails; another try may work. */
export async function loadStep(stage: Stage): Promise<void> {
  if (!views.has(stage)) views.set(stage, await sources[stage]());
}

/** What a step asks the server for besides its code. */
const preparations: Partial<Record<Stage, (region: Region) => Promise<unknown>>> = {
  trades: async () => (await import('#site/features/registration/steps/TradesStep.tsx')).prepareTrades(),
  coverage: async (region) =>
    (await import('#site/ui/coverage/load-coverage-map.ts')).loadCoverageMap(region),
};

/** Fetches what the next step needs while the applicant is busy with this one. */
export function prepareNext(stage: Stage, region: Region): void {
  const step = (stepOf(stage) ?? 0) + 1;
  if (step > lastStep) return;
  const next = stageOf(step);
  // What fails here is fetched again, and shown, when it is needed.
  void Promise.allSettled([loadStep(next), preparations[next]?.(region)]);
}

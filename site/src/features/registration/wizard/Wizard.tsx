import { useStore } from '@nanostores/react';
import { type SubmitEvent, useEffect, useRef } from 'react';
import { lastStep, stageOf } from '#core/values/registration-steps.ts';
import { $registration } from '#site/features/registration/registration-store.ts';
import { SaveFailure } from '#site/features/registration/SaveFailure.tsx';
import { usePhase } from '#site/features/registration/use-registration.ts';
import { FaultBoundary } from '#site/ui/FaultBoundary.tsx';
import { prepareNext, viewOf } from './step-views.ts';
import { WizardBar } from './WizardBar.tsx';
import { WizardProgress } from './WizardProgress.tsx';
import { WizardSkeleton } from './WizardSkeleton.tsx';
import { WizardStopped } from './WizardStopped.tsx';
import { goTo, move } from './wizard-moves.ts';

/** The registration, from where the applicant is based to 'Set up your plan'. Nothing of it shows before the bot check. */
export function Wizard() {
  return (
    <FaultBoundary>
      <WizardPhase />
    </FaultBoundary>
  );
}

function WizardPhase() {
  const phase = usePhase();
  if (phase.kind === 'open') return <OpenWizard />;
  if (phase.kind === 'checking') return <WizardSkeleton />;
  return <WizardStopped kind={phase.kind} message={phase.message} />;
}

function OpenWizard() {
  const registration = useStore($registration);
  const form = useRef<HTMLFormElement>(null);
  const shown = useRef<number | null>(null);
  const step = registration?.step ?? 0;
  const stage = stageOf(step);
  const region = registration?.region ?? 'au';

  // An effect, because focus goes to a heading that has to be drawn first; the page's first one takes none.
  useEffect(() => {
    if (shown.current !== null && shown.current !== step) {
      scrollTo(0, 0);
      form.current?.querySelector('h1')?.focus({ preventScroll: true });
    }
    shown.current = step;
    prepareNext(stage, region);
  }, [step, stage, region]);

  const View = viewOf(stage);
  if (!registration || !View) return <WizardSkeleton />;

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (step < lastStep) void move(1);
  }

  return (
    <form
      className={stage === 'coverage' ? 'wizard wizard--wide' : 'wizard'}
      aria-label="Registration"
      noValidate
      onSubmit={submit}
      ref={form}
    >
      {step < lastStep && <WizardProgress step={step} />}
      <View key={stage} registration={registration} goTo={goTo} />
      <SaveFailure />
      <WizardBar registration={registration} />
    </form>
  );
}

import { useStore } from '@nanostores/react';
import { type SubmitEvent, useEffect, useId, useRef } from 'react';
import { lastStep, type Stage, stageOf, wizardButtons } from '#core/values/registration-steps.ts';
import type { Registration } from '#site/features/registration/registration.ts';
import { $isSaving, $registration } from '#site/features/registration/registration-store.ts';
import { SaveFailure } from '#site/features/registration/SaveFailure.tsx';
import { useAnswers, usePhase } from '#site/features/registration/use-registration.ts';
import { FaultBoundary } from '#site/ui/FaultBoundary.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import { stepHint } from './step-hint.ts';
import { prepareNext, viewOf } from './step-views.ts';
import { goTo, move } from './wizard-moves.ts';
import { botCheckRetry, openRegistration } from './wizard-store.ts';

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

/** The map takes the width there is, the last step the whole page. */
const layouts: Partial<Record<Stage, string>> = { coverage: 'wizard wizard--wide', done: 'hello' };

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
      className={layouts[stage] ?? 'wizard'}
      aria-label="Registration"
      noValidate
      onSubmit={submit}
      ref={form}
    >
      {step < lastStep && <WizardProgress step={step} />}
      <View key={stage} registration={registration} goTo={goTo} goBack={() => move(-1)} />
      <SaveFailure />
      {step < lastStep && <WizardBar registration={registration} />}
    </form>
  );
}

/** Back and Next under the thumb, and between them what Next still waits for. */
function WizardBar({ registration }: Readonly<{ registration: Registration }>) {
  const answers = useAnswers(registration);
  const isSaving = useStore($isSaving);
  const hint = useId();
  const { step } = registration;
  const buttons = wizardButtons(step, answers, isSaving);
  const isNextOff = buttons === 'NextDisabled' || buttons === 'Disabled';
  const isBackOff = buttons === 'BackDisabled' || buttons === 'Disabled';
  return (
    <div className="wizard-bar">
      <div className="wizard-bar__in">
        {step > 0 && (
          <button
            className="btn btn--secondary btn--lg"
            type="button"
            disabled={isBackOff && !isSaving}
            aria-disabled={isSaving}
            onClick={() => void move(-1)}
          >
            <Icon name="arrow-left" />
            Back
          </button>
        )}
        <p className="wizard-bar__hint" id={hint}>
          {stepHint(step, answers)}
        </p>
        <button
          className="btn btn--primary btn--lg"
          type="submit"
          disabled={isNextOff && !isSaving}
          aria-disabled={isSaving}
          aria-busy={isSaving}
          aria-describedby={hint}
        >
          Next
        </button>
      </div>
    </div>
  );
}

/** How far the wizard is: step of 6; before the first of them, how many there are. */
function WizardProgress({ step }: Readonly<{ step: number }>) {
  const label = step === 0 ? `${lastStep} short steps` : `Step ${step} of ${lastStep}`;
  return (
    <div
      className="progress"
      role="progressbar"
      aria-valuemin={0}
      aria-valuemax={lastStep}
      aria-valuenow={step}
      aria-label={label}
    >
      <span className="progress__label">{label}</span>
      <span className="progress__bar">
        {Array.from({ length: lastStep }, (_, at) => at + 1).map((part) => (
          <i key={part} className={part < step ? 'is-done' : part === step ? 'is-now' : undefined} />
        ))}
      </span>
    </div>
  );
}
/** While the bot check runs, or the draft loads. Turnstile, where it is in use, draws itself into the marked element. */
function WizardSkeleton() {
  return (
    <div className="wizard" aria-busy="true">
      <p className="lede" role="status">
        Please wait...
      </p>
      <span className="sk sk--title" />
      <span className="sk sk--block" />
      <span className="sk sk--block" />
      <div data-bot-check="" />
    </div>
  );
}

/** Why the wizard does not show: the bot check was not passed, or the draft did not load. */
function WizardStopped({ kind, message }: Readonly<{ kind: 'blocked' | 'failed'; message: string }>) {
  return (
    <div className="wizard wizard--stopped" role="alert">
      <span className="empty__sign empty__sign--error">
        <Icon name="circle-alert" />
      </span>
      <h1>{message}</h1>
      <p className="lede">
        {kind === 'blocked'
          ? `Before you begin we check that you are a person. We try again every ${botCheckRetry / 1_000} seconds.`
          : 'What you have entered so far is kept.'}
      </p>
      <button className="btn btn--primary btn--lg" type="button" onClick={() => void openRegistration()}>
        <Icon name="refresh-cw" />
        Try again
      </button>
    </div>
  );
}

import { useStore } from '@nanostores/react';
import { type SubmitEvent, useEffect, useId, useRef, useSyncExternalStore } from 'react';
import { isEmail, normaliseEmail } from '#core/values/contact.ts';
import {
  lastStep,
  type Stage,
  type StepAnswers,
  stageOf,
  wizardButtons,
} from '#core/values/registration-steps.ts';
import { readPhone } from '#core/values/typed-phone.ts';
import { answersOf, type Registration } from '#site/features/registration/registration.ts';
import {
  $isSaving,
  $password,
  $registration,
  $saveFailure,
} from '#site/features/registration/registration-store.ts';
import { listInWords } from '#site/lib/form.ts';
import { FaultBoundary } from '#site/ui/FaultBoundary.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import { choiceInWords } from '#site/ui/trades/trade-choice.ts';
import { prepareNext, viewOf } from './step-views.ts';
import { $phase, botCheckRetry, goTo, move, openRegistration, type Phase } from './wizard-store.ts';

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
      <View key={stage} registration={registration} goTo={goTo} />
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
        <p className="wizard-bar__hint" id={hint}>
          {stepHint(step, answers)}
        </p>
        {step > 0 && (
          <button
            className="btn btn--secondary btn--lg"
            type="button"
            disabled={isBackOff && !isSaving}
            aria-disabled={isSaving}
            onClick={() => void move(-1)}
          >
            <Icon name="arrow-left" />
            <span>Back</span>
          </button>
        )}
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
        <span>Try again</span>
      </button>
    </div>
  );
}

/** Why the last Next or Back did not get through, for as long as that is so. */
export function SaveFailure() {
  const failure = useStore($saveFailure);
  // A password that is refused is said at its field.
  if (failure === null || failure.fields['verify.password'] !== undefined) return null;
  return (
    <div className="alert alert--error" role="alert">
      <Icon name="circle-alert" />
      <div>
        <strong>Something went wrong</strong>
        <p>{failure.message}</p>
        <p>What you entered is kept. Press Next or Back to try again.</p>
      </div>
    </div>
  );
}

const checking: Phase = { kind: 'checking' };

/** What the page shows. On the server, and while the page hydrates, it is being checked. */
function usePhase(): Phase {
  return useSyncExternalStore<Phase>(
    (onChange) => $phase.listen(onChange),
    () => $phase.get(),
    () => checking,
  );
}

/** A draft as the rules of the steps look at it. */
function useAnswers(registration: Registration): StepAnswers {
  return answersOf(registration, useStore($password));
}

/** What stands beside Next: what it still waits for, or what was chosen; '' where there is nothing to show. */
function stepHint(step: number, answers: StepAnswers): string {
  switch (stageOf(step)) {
    case 'trades':
      return answers.specialties.length > 0 ? choiceInWords(answers) : 'Choose a trade and tick what you do';
    case 'bn': {
      const isNamed = (name: string) => !answers.hasBusiness || name.trim() !== '';
      return stillNeeded([
        [answers.hasBusiness, 'your business'],
        [isNamed(answers.tradingName), 'a trading name'],
        [isNamed(answers.firstName), 'your first name'],
        [isNamed(answers.lastName), 'your last name'],
      ]);
    }
    case 'mobile':
      return stillNeeded([
        [answers.emailVerified, hasEmail(answers) ? 'an email address that is free' : 'your email address'],
        [answers.phoneVerified, hasPhone(answers) ? 'the code we send you' : 'your mobile number'],
      ]);
    case 'password':
      return stillNeeded([
        [answers.passwordSet, 'a password'],
        [answers.terms, 'your yes to the terms'],
      ]);
    default:
      return '';
  }
}

function stillNeeded(parts: readonly (readonly [isThere: boolean, name: string])[]): string {
  const missing = parts.filter(([isThere]) => !isThere).map(([, name]) => name);
  return missing.length === 0 ? '' : `Still needed: ${listInWords(missing)}`;
}

function hasEmail({ email }: StepAnswers): boolean {
  return isEmail(normaliseEmail(email));
}

function hasPhone({ phone, region }: StepAnswers): boolean {
  return readPhone(phone, region) !== null;
}

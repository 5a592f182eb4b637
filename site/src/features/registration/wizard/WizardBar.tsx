import { useStore } from '@nanostores/react';
import { useId } from 'react';
import { lastStep, wizardButtons } from '#core/values/registration-steps.ts';
import type { Registration } from '#site/features/registration/registration.ts';
import { $isSaving } from '#site/features/registration/registration-store.ts';
import { useAnswers } from '#site/features/registration/use-registration.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { stepHint } from './step-hint.ts';
import { move } from './wizard-moves.ts';

/** Back and Next under the thumb, and between them what Next still waits for. */
export function WizardBar({ registration }: Readonly<{ registration: Registration }>) {
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
        {step < lastStep && (
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
        )}
      </div>
    </div>
  );
}

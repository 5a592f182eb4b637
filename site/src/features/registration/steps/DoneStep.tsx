import { useStore } from '@nanostores/react';
import { type Plan, product } from '#core/values/product.ts';
import type { StepProps } from '#site/features/registration/registration.ts';
import { StepHead } from '#site/features/registration/wizard/StepHead.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import { $completionFailure, $isCompleting, complete } from './complete.ts';

const planNames: Record<Plan, string> = { starter: 'Starter plan', plus: 'Plus plan', pro: 'Pro plan' };

/** Step 6: one press makes the account and leads on to setting it up. */
export function DoneStep({ registration, goTo }: StepProps) {
  const isCompleting = useStore($isCompleting);
  const failure = useStore($completionFailure);
  const { type, user, entity } = registration;
  return (
    <div className="wizard__done">
      <StepHead title={`That’s everything, ${user.firstName}`}>
        {`${entity?.tradingName ?? ''} is ready to start on ${product.name}. Next you say a few words about it.`}
      </StepHead>
      {failure !== null && (
        <div className="alert alert--error" role="alert">
          <Icon name="circle-alert" />
          <div>
            <strong>{failure}</strong>
            Nothing is lost: press the button to try again.
          </div>
        </div>
      )}
      <button
        className="btn btn--primary btn--lg"
        type="button"
        disabled={isCompleting}
        aria-busy={isCompleting}
        onClick={() => void complete(goTo)}
      >
        {`Set up your ${planNames[type]}`}
      </button>
    </div>
  );
}

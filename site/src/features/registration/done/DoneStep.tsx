import { useStore } from '@nanostores/react';
import type { Plan } from '#core/values/plan.ts';
import { product } from '#core/values/product.ts';
import type { Registration } from '../registration.ts';
import { StepHead } from '../StepHead.tsx';
import { $isCompleting, complete } from './complete.ts';

const planNames: Record<Plan, string> = { starter: 'Starter plan', plus: 'Plus plan', pro: 'Pro plan' };

/** Step 6: one press makes the account and leads on to setting it up. */
export function DoneStep({ registration }: Readonly<{ registration: Registration }>) {
  const isCompleting = useStore($isCompleting);
  const { type, user, entity } = registration;
  return (
    <div className="wizard__done">
      <StepHead title={`That’s everything, ${user.firstName}`}>
        {`${entity?.tradingName ?? ''} is ready to start on ${product.name}. Next you say a few words about it.`}
      </StepHead>
      <button
        className="btn btn--primary btn--lg"
        type="button"
        disabled={isCompleting}
        aria-busy={isCompleting}
        onClick={() => void complete()}
      >
        {`Set up your ${planNames[type]}`}
      </button>
    </div>
  );
}

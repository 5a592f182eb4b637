import { useStore } from '@nanostores/react';
import { atom, type ReadableAtom } from 'nanostores';
import { businessNumberLabels } from '#core/values/business.ts';
import { type Plan, planRules, product } from '#core/values/product.ts';
import { stepOf } from '#core/values/registration-steps.ts';
import type { StepProps } from '#site/features/registration/registration.ts';
import { completeRegistration } from '#site/features/registration/registration-api.ts';
import { $registration, enterAccount } from '#site/features/registration/registration-store.ts';
import { ApiError, unknownFailure } from '#site/lib/http/api.ts';
import { readRegistration, removeRegistration } from '#site/lib/session/session-storage.ts';
import { formatBusinessNumber } from '#site/ui/business-number/business-words.ts';
import { HelloScene } from '#site/ui/drawn-again.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import { toast } from '#site/ui/toast/toast.ts';

const isCompleting = atom(false);
const failure = atom<string | null>(null);

export const $isCompleting: ReadableAtom<boolean> = isCompleting;
/** Why the last try did not get through; null once the draft is another one. */
export const $completionFailure: ReadableAtom<string | null> = failure;

$registration.listen(() => failure.set(null));

/**
 * Makes the account and the business of the registration, signs in and goes on to the set-up. What fails is shown and can
 * be pressed again: under the same key it happens once. `goTo` shows the step where an answer is refused.
 */
export async function complete(goTo: (step: number) => Promise<void>): Promise<void> {
  const stored = readRegistration();
  if (!stored || isCompleting.get()) return;
  isCompleting.set(true);
  failure.set(null);
  try {
    enterAccount(await completeRegistration(stored.completionKey));
  } catch (thrown) {
    isCompleting.set(false);
    await showFailure(thrown instanceof ApiError ? thrown : new ApiError(unknownFailure, 0), goTo);
  }
}

async function showFailure(error: ApiError, goTo: (step: number) => Promise<void>): Promise<void> {
  if (error.status === 404) {
    // Finished in another tab: the account is there, and its password opens it.
    removeRegistration();
    return location.replace('/login');
  }
  toast.error(error.message, { title: 'Something went wrong', id: 'registration' });
  failure.set(error.message);
  // An email or a mobile that another account took meanwhile is changed where it was given.
  const { step = stepOf('mobile') } = error.payload;
  if (error.status === 409 && typeof step === 'number') await goTo(step);
}

const planNames: Record<Plan, string> = { starter: 'Starter plan', plus: 'Plus plan', pro: 'Pro plan' };

/** Step 6: what is there and what two pages are still to come. One press makes the account and leads on to them. */
export function DoneStep({ registration, goTo, goBack }: StepProps) {
  const isCompleting = useStore($isCompleting);
  const failure = useStore($completionFailure);
  const { type, region, entity, location } = registration;
  const name = entity?.tradingName ?? '';
  const number = `${businessNumberLabels[region ?? 'au']} ${formatBusinessNumber(entity?.bn ?? '')}`;
  return (
    <>
      <HelloScene />
      <div className="hello__main">
        <p className="hello__before">{`${name} is registered`}</p>
        <h1 tabIndex={-1}>{`Set up your ${planNames[type]}`}</h1>
        <p className="lede">
          {`${product.mascot} has kept your trades and your area. Two short pages and your job form looks like you.`}
        </p>
        <ol className="next3">
          <li className="is-done">
            <span>
              <b>{name}</b>
              <span className="num">{`${number}, ${Math.round(location.radius / 1_000)} km around your base`}</span>
            </span>
          </li>
          <li>
            <span>
              <b>A few words about you</b>
              <span>One minute</span>
            </span>
          </li>
          <li>
            <span>
              <b>{planRules[type].logo ? 'Logo and colour' : 'Colour and address'}</b>
              <span>One minute, or later</span>
            </span>
          </li>
        </ol>
        {failure !== null && (
          <div className="alert alert--error" role="alert">
            <Icon name="circle-alert" />
            <div>
              <strong>{failure}</strong>
              <span>Nothing is lost: press the button to try again.</span>
            </div>
          </div>
        )}
        <div className="hello__do">
          <button
            className="btn btn--primary btn--lg"
            type="button"
            disabled={isCompleting}
            aria-busy={isCompleting}
            onClick={() => void complete(goTo)}
          >
            Next
          </button>
          <button
            className="btn btn--quiet"
            type="button"
            disabled={isCompleting}
            onClick={() => void goBack()}
          >
            Back
          </button>
        </div>
      </div>
    </>
  );
}

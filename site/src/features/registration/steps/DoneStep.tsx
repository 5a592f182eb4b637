import { businessNumberLabels } from '#core/values/business.ts';
import { planLine, planNames } from '#core/values/plan-lines.ts';
import { planRules, product } from '#core/values/product.ts';
import type { StepProps } from '#site/features/registration/registration.ts';
import { setUpPath } from '#site/features/registration/registration-store.ts';
import { formatBusinessNumber } from '#site/ui/business-number/business-words.ts';
import { HelloScene } from '#site/ui/drawn-again.tsx';

/** Step 6: the account is open. What is there, and what two pages are still to come; nothing can fail here. */
export function DoneStep({ registration }: StepProps) {
  const { type, region, entity, location } = registration;
  const name = entity?.tradingName ?? '';
  const title = `Set up your ${planNames[type]} plan`;
  const number = `${businessNumberLabels[region ?? 'au']} ${formatBusinessNumber(entity?.bn ?? '')}`;
  return (
    <>
      <HelloScene />
      <div className="hello__main">
        <p className="hello__before">{`${name} is registered`}</p>
        <h1 tabIndex={-1}>{title}</h1>
        <p className="lede">
          {`${product.mascot} has kept your trades and your area. Two short pages and your job form looks like you.`}
        </p>
        <p className="lede">{planLine(type)}</p>
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
        <div className="hello__do">
          <a className="btn btn--primary btn--lg" href={setUpPath}>
            {title}
          </a>
        </div>
      </div>
    </>
  );
}

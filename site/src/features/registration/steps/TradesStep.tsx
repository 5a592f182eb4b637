import { useEffect } from 'react';
import { maxTrades } from '#core/values/registration-steps.ts';
import type { Registration } from '#site/features/registration/registration.ts';
import { changeRegistration } from '#site/features/registration/registration-store.ts';
import { StepHead } from '#site/features/registration/wizard/StepHead.tsx';
import { useQuery } from '#site/lib/http/query.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { toast } from '#site/ui/toast/toast.ts';
import { TradeList, tradesQuery } from '#site/ui/trades/TradeList.tsx';

/** Step 1: up to three trades, and what is done in each. */
export function TradesStep({ registration }: Readonly<{ registration: Registration }>) {
  useEffect(followTrades, []);
  const { data, status } = useQuery(tradesQuery);
  return (
    <>
      <StepHead title="What's your trade?">{`Choose up to ${maxTrades}, then tick what you do in each.`}</StepHead>
      {data && (
        <TradeList
          all={data}
          choice={{ trades: registration.trades, specialties: registration.specialties }}
          asksSpecialties
          onChoose={changeRegistration}
        />
      )}
      {!data && status === 'pending' && (
        <div className="trades" aria-busy="true">
          {['one', 'two', 'three', 'four'].map((row) => (
            <span key={row} className="sk trade--sk" />
          ))}
        </div>
      )}
      {!data && status === 'error' && <LoadFailure />}
    </>
  );
}

function LoadFailure() {
  return (
    <div className="alert alert--error" role="alert">
      <Icon name="circle-alert" />
      <div>
        <strong>Something went wrong loading the trades</strong>
        <p>Please refresh the page or try again later</p>
        <button
          className="btn btn--secondary btn--sm"
          type="button"
          onClick={() => void tradesQuery.refresh()}
        >
          Try again
        </button>
      </div>
    </div>
  );
}

/** Loads the trades from now on, so that they are there when they are looked at. */
export function prepareTrades(): void {
  tradesQuery.$state.listen(() => {});
}

/** Shows that the trades did not load, until they do. @returns how to stop listening. */
export function followTrades(): () => void {
  return tradesQuery.$state.listen(({ status, fetchStatus }) => {
    if (status === 'success') toast.dismiss('registration-trades');
    if (status !== 'error' || fetchStatus !== 'idle') return;
    toast.error('Please refresh the page or try again later', {
      title: 'Something went wrong loading the trades',
      id: 'registration-trades',
    });
  });
}

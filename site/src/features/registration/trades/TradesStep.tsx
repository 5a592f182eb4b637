import { useEffect, useState } from 'react';
import { maxTrades } from '#core/values/registration-steps.ts';
import { StepHead } from '#site/features/registration/wizard/StepHead.tsx';
import { useQuery } from '#site/lib/http/query.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { toast } from '#site/ui/toast/toast.ts';
import type { Registration } from '../registration.ts';
import type { Trade } from '../registration-api.ts';
import { changeRegistration } from '../registration-store.ts';
import { TradeIcon } from './TradeIcon.tsx';
import { toggleSpecialty, toggleTrade, tradesLike } from './trade-choice.ts';
import { followTrades, tradesQuery } from './trades-store.ts';

/** Step 1: up to three trades, and what is done in each. */
export function TradesStep({ registration }: Readonly<{ registration: Registration }>) {
  useEffect(followTrades, []);
  const { data, status } = useQuery(tradesQuery);
  return (
    <>
      <StepHead title="What's your trade?">Choose up to {maxTrades}, then tick what you do in each.</StepHead>
      {data && <TradeList all={data} registration={registration} />}
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

function TradeList({ all, registration }: Readonly<{ all: readonly Trade[]; registration: Registration }>) {
  const [wanted, setWanted] = useState('');
  const shown = tradesLike(all, wanted, registration.trades);

  function choose(trade: Trade): void {
    const choice = toggleTrade(registration, trade);
    if (choice) changeRegistration(choice);
    else showTooMany();
  }

  return (
    <>
      <div className="field">
        <label className="field__label" htmlFor="wanted-trade">
          Find your trade
        </label>
        <span className="affix search">
          <Icon name="search" />
          <input
            className="input"
            id="wanted-trade"
            type="search"
            autoComplete="off"
            maxLength={60}
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
            // Enter searches, it does not go on.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
        </span>
        <p className="sr" role="status">
          {wanted.trim() === '' ? '' : `${shown.length} of ${all.length} trades shown`}
        </p>
      </div>
      <div className="trades">
        {shown.map((trade) => (
          <TradeCard
            key={trade.id}
            trade={trade}
            isChosen={registration.trades.includes(trade.id)}
            specialties={registration.specialties}
            onChoose={() => choose(trade)}
            onSpecialty={(id) => changeRegistration(toggleSpecialty(registration, id))}
          />
        ))}
        {shown.length === 0 && <p className="lede">No trade like that. Try another word for it.</p>}
      </div>
    </>
  );
}

function showTooMany(): void {
  const title = `You can select up to ${maxTrades} trades.`;
  toast.warning('Please remove one to add another', { title, id: 'too-many-trades' });
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

type Props = Readonly<{
  trade: Trade;
  isChosen: boolean;
  /** Everything that was ticked, in other trades too. */
  specialties: readonly string[];
  onChoose(): void;
  onSpecialty(id: string): void;
}>;

/** A trade with its box; once it is chosen, with what may be done in it. */
function TradeCard({ trade, isChosen, specialties, onChoose, onSpecialty }: Props) {
  const ticked = trade.specialties.filter(({ id }) => specialties.includes(id)).length;
  return (
    <div className={isChosen ? 'trade is-on' : 'trade'}>
      <label className="trade__head">
        <TradeIcon trade={trade.id} />
        <span>{trade.name}</span>
        {isChosen && <span className="trade__n num">{ticked} chosen</span>}
        <span className="check">
          <input type="checkbox" checked={isChosen} onChange={onChoose} />
        </span>
      </label>
      {isChosen && (
        <fieldset className="trade__sp">
          <legend className="sr">{trade.name}: what you do</legend>
          {trade.specialties.map(({ id, name }) => (
            <label key={id} className="check">
              <input type="checkbox" checked={specialties.includes(id)} onChange={() => onSpecialty(id)} />
              <span>{name}</span>
            </label>
          ))}
        </fieldset>
      )}
    </div>
  );
}

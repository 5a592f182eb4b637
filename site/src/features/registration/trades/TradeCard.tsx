import type { Trade } from '../registration-api.ts';
import { TradeIcon } from './TradeIcon.tsx';

type Props = Readonly<{
  trade: Trade;
  isChosen: boolean;
  /** Everything that was ticked, in other trades too. */
  specialties: readonly string[];
  onChoose(): void;
  onSpecialty(id: string): void;
}>;

/** A trade with its box; once it is chosen, with what may be done in it. */
export function TradeCard({ trade, isChosen, specialties, onChoose, onSpecialty }: Props) {
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

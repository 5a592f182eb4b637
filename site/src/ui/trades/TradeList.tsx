import { useEffect, useState } from 'react';
import { maxTrades } from '#core/values/registration-steps.ts';
import { type Query, query } from '#site/lib/http/query.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { toast } from '#site/ui/toast/toast.ts';
import { fetchTrades, type Trade } from './fetch-trades.ts';
import { type TradeChoice, toggleSpecialty, toggleTrade, tradesLike } from './trade-choice.ts';
import sheet from './trade-icons.svg?url';

type ListProps = Readonly<{
  all: readonly Trade[];
  choice: TradeChoice;
  /** Whether it is ticked what is done in each trade. */
  asksSpecialties?: boolean;
  onChoose(choice: TradeChoice): void;
}>;

/** Up to three trades to choose, found by a few letters. */
export function TradeList({ all, choice, asksSpecialties = false, onChoose }: ListProps) {
  const [wanted, setWanted] = useState('');
  const shown = tradesLike(all, wanted, choice.trades);
  useEffect(() => dismissTooMany, []);

  function choose(trade: Trade): void {
    const next = toggleTrade(choice, trade);
    if (!next) {
      showTooMany();
      return;
    }
    dismissTooMany();
    onChoose(next);
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
            isChosen={choice.trades.includes(trade.id)}
            specialties={asksSpecialties ? choice.specialties : null}
            onChoose={() => choose(trade)}
            onSpecialty={(id) => onChoose(toggleSpecialty(choice, id))}
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

const dismissTooMany = () => toast.dismiss('too-many-trades');

type Props = Readonly<{
  trade: Trade;
  isChosen: boolean;
  /** Everything that was ticked, in other trades too; null where it is not asked. */
  specialties: readonly string[] | null;
  onChoose(): void;
  onSpecialty(id: string): void;
}>;

/** A trade with its box; once it is chosen, with what may be done in it. */
function TradeCard({ trade, isChosen, specialties, onChoose, onSpecialty }: Props) {
  const ticked = specialties && trade.specialties.filter(({ id }) => specialties.includes(id)).length;
  return (
    <div className={isChosen ? 'trade is-on' : 'trade'}>
      <label className="trade__head">
        <TradeIcon trade={trade.id} />
        <span>{trade.name}</span>
        {isChosen && ticked !== null && <span className="trade__n num">{`${ticked} chosen`}</span>}
        <span className="check">
          <input type="checkbox" checked={isChosen} onChange={onChoose} />
        </span>
      </label>
      {isChosen && specialties && (
        <fieldset className="trade__sp">
          <legend className="sr">{`${trade.name}: what you do`}</legend>
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

/** The drawing of each trade, by its id, on the sheet beside this file. From Lucide (ISC licence, see NOTICE). */
const drawings: Readonly<Record<string, string>> = {
  plumbing: 'droplets',
  'gas-fitting': 'flame',
  drainage: 'cone',
  electrical: 'zap',
  solar: 'sun-medium',
  'air-conditioning': 'air-vent',
  refrigeration: 'snowflake',
  'security-and-data': 'cctv',
  building: 'hammer',
  'bathroom-renovations': 'bath',
  kitchens: 'cooking-pot',
  carpentry: 'drill',
  decking: 'columns-3',
  painting: 'paint-roller',
  plastering: 'shovel',
  rendering: 'shovel',
  tiling: 'layout-grid',
  waterproofing: 'umbrella',
  flooring: 'grid-3x3',
  bricklaying: 'brick-wall',
  stonemasonry: 'mountain',
  concreting: 'construction',
  paving: 'grid-3x3',
  roofing: 'house',
  guttering: 'house',
  insulation: 'thermometer',
  glazing: 'app-window',
  'windows-and-doors': 'door-closed',
  'garage-doors': 'warehouse',
  'blinds-and-curtains': 'blinds',
  locksmith: 'key-round',
  fencing: 'fence',
  landscaping: 'trees',
  gardening: 'leaf',
  'tree-services': 'axe',
  excavation: 'tractor',
  demolition: 'bomb',
  'asbestos-removal': 'biohazard',
  scaffolding: 'construction',
  welding: 'anvil',
  pools: 'waves-ladder',
  handyman: 'wrench',
  cleaning: 'brush-cleaning',
  'carpet-cleaning': 'sparkles',
  'window-cleaning': 'spray-can',
  'pest-control': 'bug',
  'rubbish-removal': 'recycle',
  removals: 'truck',
  'appliance-repairs': 'washing-machine',
  'building-inspections': 'clipboard-check',
};

/** Draws a trade; a wrench for one that has no drawing of its own. Decorative. */
function TradeIcon({ trade }: Readonly<{ trade: string }>) {
  return (
    <svg className="icon icon--lg" aria-hidden="true">
      <use href={`${sheet}#${drawings[trade] ?? 'wrench'}`} />
    </svg>
  );
}

/** Every trade that can be chosen, as the operator's list has it. */
export const tradesQuery: Query<readonly Trade[]> = query('registration-trades', fetchTrades);

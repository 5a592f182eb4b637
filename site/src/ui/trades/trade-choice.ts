import { maxTrades } from '#core/values/registration-steps.ts';
import { foldText } from '#core/values/text.ts';
import type { Trade } from './fetch-trades.ts';
import { tradeWords } from './trade-words.ts';

/** Which trades, and what is done in each: ids. */
export type TradeChoice = Readonly<{ trades: readonly string[]; specialties: readonly string[] }>;

/** The choice with a trade put in or taken out, its specialties with it; null where it would be one too many. */
export function toggleTrade({ trades, specialties }: TradeChoice, trade: Trade): TradeChoice | null {
  if (trades.includes(trade.id)) {
    const own = trade.specialties.map(({ id }) => id);
    return {
      trades: trades.filter((id) => id !== trade.id),
      specialties: specialties.filter((id) => !own.includes(id)),
    };
  }
  return trades.length < maxTrades ? { trades: [...trades, trade.id], specialties } : null;
}

export function toggleSpecialty({ trades, specialties }: TradeChoice, id: string): TradeChoice {
  const without = specialties.filter((chosen) => chosen !== id);
  return { trades, specialties: without.length < specialties.length ? without : [...specialties, id] };
}

/**
 * The trades that a few letters lead to, by their names, what their people are called (`plumbers`, `sparky`) or what is done in them;
 * chosen ones always stay in sight. Those that their own name or people lead to stand first.
 */
export function tradesLike(
  trades: readonly Trade[],
  text: string,
  chosen: readonly string[],
): readonly Trade[] {
  const wanted = foldText(text);
  if (wanted === '') return trades;
  const isLike = (name: string) => ` ${foldText(name)}`.includes(` ${wanted}`);
  // People name themselves in the plural as well: `plumbers` begins with `plumber`.
  const isCalled = (word: string) => isLike(word) || [`${word}s`, word.replace(/y$/, 'ies')].includes(wanted);
  const isNamed = ({ id, name }: Trade) => isLike(name) || (tradeWords[id] ?? []).some(isCalled);
  const named = trades.filter(isNamed);
  const others = trades.filter(
    (trade) =>
      !isNamed(trade) &&
      (chosen.includes(trade.id) || trade.specialties.some((specialty) => isLike(specialty.name))),
  );
  return [...named, ...others];
}

/** The choice in words: `1 of 3 trades, 4 specialties`. */
export function choiceInWords({ trades, specialties }: TradeChoice): string {
  const counted = specialties.length === 1 ? '1 specialty' : `${specialties.length} specialties`;
  return `${trades.length} of ${maxTrades} trades, ${counted}`;
}

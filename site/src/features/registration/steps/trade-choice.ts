import { maxTrades } from '#core/values/registration-steps.ts';
import type { Trade } from '#site/features/registration/registration-api.ts';

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

/** The trades that a few letters lead to, by their names or what is done in them; chosen ones always stay in sight. */
export function tradesLike(
  trades: readonly Trade[],
  text: string,
  chosen: readonly string[],
): readonly Trade[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return trades;
  const begins = (name: string) =>
    name
      .toLowerCase()
      .split(/[\s-]+/)
      .some((word) => word.startsWith(wanted));
  const isLike = (name: string) => begins(name) || name.toLowerCase().startsWith(wanted);
  return trades.filter(
    ({ id, name, specialties }) =>
      chosen.includes(id) || isLike(name) || specialties.some((specialty) => isLike(specialty.name)),
  );
}

/** The choice in words: `1 of 3 trades, 4 specialties`. */
export function choiceInWords({ trades, specialties }: TradeChoice): string {
  const counted = specialties.length === 1 ? '1 specialty' : `${specialties.length} specialties`;
  return `${trades.length} of ${maxTrades} trades, ${counted}`;
}

import type { ReadSide } from '#projections/runtime/read-side/read-side.ts';

/** How far back changes are remembered, and what is added to the age of a page for the way of its question, in ms. */
const remembered = 60_000;
const onTheWay = 1_000;

export type RecentChanges = Readonly<{
  /** Whether a business's read models changed, or may have, in the last milliseconds. */
  mayHaveChanged(businessId: string, age: number): boolean;
}>;

/** Remembers when each business changed last, for pages that loaded before their live line was open. */
export function rememberChanges(
  readSide: Pick<ReadSide, 'onChange' | 'onGap'>,
  now: () => number = () => performance.now(),
): RecentChanges {
  /** The earliest first, as each change puts its business at the end. */
  const changedAt = new Map<string, number>();
  let knownSince = now();

  readSide.onGap(() => {
    knownSince = now();
  });
  readSide.onChange(({ businessId }) => {
    changedAt.delete(businessId);
    changedAt.set(businessId, now());
    for (const [earliest, at] of changedAt) {
      if (at >= now() - remembered) break;
      changedAt.delete(earliest);
    }
  });

  return {
    mayHaveChanged(businessId, age) {
      const since = now() - age - onTheWay;
      const isKnown = Number.isFinite(since) && since >= knownSince && since >= now() - remembered;
      return !isKnown || (changedAt.get(businessId) ?? Number.NEGATIVE_INFINITY) >= since;
    },
  };
}

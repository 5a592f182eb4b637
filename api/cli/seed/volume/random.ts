import { createHash } from 'node:crypto';

/** Chance that always falls the same way for the same key. */
export type Random = Readonly<{
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** A whole number from `least` to `most`, both inclusive. */
  between(least: number, most: number): number;
  pick<T>(from: readonly T[]): T;
  chance(probability: number): boolean;
}>;

/** A source of its own for each key, so that what is invented does not depend on the order of inventing. */
export function createRandom(...key: readonly (string | number)[]): Random {
  let state = createHash('sha256').update(key.join('/')).digest().readUInt32LE(0);

  function next(): number {
    // Mulberry32: 32 bits of state are plenty for the few draws of one key.
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  function at<T>(from: readonly T[], share: number): T {
    const found = from[Math.floor(share * from.length)];
    if (found === undefined) throw new RangeError('nothing to pick from');
    return found;
  }

  return {
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick: (from) => at(from, next()),
    chance: (probability) => next() < probability,
  };
}

const FIRST = 4_000;
const LONGEST = 30 * 60_000;

/**
 * How long to wait after so many tries, in milliseconds: four seconds, doubling up to half an hour, of which `random`
 * (from 0 up to 1) takes away half at most, so that messages that failed together do not come back together.
 */
export function backoffAfter(attempts: number, random: number): number {
  const whole = Math.min(LONGEST, FIRST * 2 ** Math.max(0, Math.min(attempts, 30) - 1));
  return Math.round(whole * (1 - random / 2));
}

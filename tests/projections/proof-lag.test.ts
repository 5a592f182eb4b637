import { expect, test } from 'vitest';
import { followLog, type ProofOptions } from '#api/proof/follow.ts';
import type { WakeUp } from '#core/event-store/waiting.ts';
import { silentLog } from '#projections/runtime/failure.ts';
import { proofStage } from '#tests/support/log/proof-stage.ts';

const stage = proofStage();

/** What is promised, and what the product's own settings come to: a minute between checkpoints, and a look at the log every 5 s. */
const PROMISED = 90_000;
const USUAL = 65_000;
const LONG = 10 * 60_000;
const began = Date.parse('2026-11-23T00:00:00Z');

/**
 * Lets the follower run for ten minutes of a clock of its own, at the product's settings, with events at the worst moments: just after it
 * has read the log, just after it has signed, and just before it looks again. `turn`: how long it takes from reading to signing, in
 * milliseconds. Answers for how long each event was in no checkpoint.
 */
async function lagsOf(turn: number): Promise<number[]> {
  let time = began;
  let isRead = false;
  const appended: number[] = [];
  const event = async () => {
    await stage.seed(1);
    appended.push(time);
  };
  const options: ProofOptions = {
    ...stage.options(),
    now: () => new Date(time),
    log: {
      ...stage.store(),
      async readLeaves(after, limit) {
        const leaves = await stage.store().readLeaves(after, limit);
        if (isRead) return leaves;
        isRead = true;
        await event();
        time += turn;
        await event();
        return leaves;
      },
    },
  };
  const ending = new AbortController();
  const wakeUp: WakeUp = {
    generation: () => 0,
    notify() {},
    async sleep(_, ms) {
      await event();
      time += ms;
      await event();
      isRead = false;
      if (time - began >= LONG) ending.abort();
    },
  };
  await followLog(options, wakeUp, silentLog, ending.signal);
  const { rows } = await stage
    .pool()
    .query<{ size: number; at: Date }>(
      'select size::int as size, made_at as at from proof.checkpoints order by size',
    );
  return appended.map((at, index) => {
    const covering = rows.find(({ size }) => size > index);
    return (covering ? covering.at.getTime() : time) - at;
  });
}

test.each([
  [0, USUAL],
  [300, USUAL + 2 * 300],
  [12_000, PROMISED],
])(
  'with turns of %d ms an event is in a checkpoint after %d ms at the latest',
  async (turn, latest) => {
    const lags = await lagsOf(turn);
    const longest = Math.max(...lags);
    expect(longest).toBeLessThanOrEqual(latest);
    expect(longest).toBeLessThanOrEqual(PROMISED);
    // The product's settings were in force, and not some that hurry.
    expect(longest).toBeGreaterThanOrEqual(60_000);
  },
  60_000,
);

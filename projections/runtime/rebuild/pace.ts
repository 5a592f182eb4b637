import { pause } from '#core/kernel/pause.ts';

/** How hard a rebuild works. */
export type Pace = Readonly<{
  kind: 'fast' | 'gentle';
  /** Events of the next batch. */
  batch(): number;
  /** How many batches are fetched ahead, so that decoding and writing go on at the same time. */
  ahead: number;
  /** To be called after each batch, with the milliseconds it took. */
  rest(took: number, signal: AbortSignal): Promise<void>;
}>;

/** A gentle batch is to take this long, in milliseconds: no reader waits for a core or a disk longer than that. */
const target = 15;
/** Rest per work: others have the machine for most of the time. */
const restRatio = 2;
const [fewest, first, most] = [50, 250, 2_000] as const;

/** As fast as it goes: for an installation that is not in use just now. */
export function fastPace(): Pace {
  return { kind: 'fast', batch: () => 10_000, ahead: 2, rest: async () => {} };
}

/** Small batches, sized by how long the ones before took, with rests between them: for one that people work with. */
export function gentlePace(): Pace {
  let size: number = first;
  return {
    kind: 'gentle',
    ahead: 0,
    batch: () => size,
    async rest(took, signal) {
      const wanted = size * Math.min(2, Math.max(0.5, target / Math.max(1, took)));
      size = Math.round(Math.min(most, Math.max(fewest, wanted)));
      await pause(took * restRatio, signal);
    },
  };
}

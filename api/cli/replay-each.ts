import { replayParked } from '#projections/runtime/follow/replay-parked.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import { replayLines } from './report.ts';
import { print, type System, withSystem } from './system.ts';

/**
 * Applies what these followers of the log have set aside, one after the other, and prints how many events went through and
 * which did not: in lines, or as a line of JSON each. Exit code 1 when some still cannot be applied.
 */
export function replayEach(wanted: (system: System) => readonly Projection[], json = false): Promise<void> {
  return withSystem(
    async (system, signal) => {
      let isWhole = true;
      for (const follower of wanted(system)) {
        signal.throwIfAborted();
        const replay = await replayParked(system, follower);
        const { name } = follower;
        print(json ? [JSON.stringify({ name, ...replay })] : replayLines(name, replay));
        isWhole &&= replay.remaining.length === 0;
      }
      return isWhole;
    },
    () => 'what is named above was applied; the same command again goes on.',
  );
}

import { setPriority } from 'node:os';
import { createProgress } from '#projections/progress.ts';
import { rebuiltLine } from '#projections/report.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import { countReaders } from '#projections/runtime/read-side/status.ts';
import { fastPace, gentlePace } from '#projections/runtime/rebuild/pace.ts';
import { rebuildTogether } from '#projections/runtime/rebuild/rebuild.ts';
import { print, withSystem } from './system.ts';

/** A third of the share of a process that serves, while both want the processor. */
const gentlePriority = 5;

export type WantedPace = Readonly<{ gentle?: boolean; fast?: boolean }>;

/** Rebuilds in one pass over the log: gently while the product is serving, unless told otherwise. */
export function rebuildAll(projections: readonly Projection[], wanted: WantedPace): Promise<void> {
  let replaced = 0;
  return withSystem(
    async (system, signal) => {
      const started = performance.now();
      const isGentle = wanted.gentle ?? (wanted.fast ? false : (await countReaders(system.pool)) > 0);
      // The rest between batches is for the disk and for Postgres; this leaves the processor to the processes that serve.
      if (isGentle) setPriority(gentlePriority);
      const head = Number(await system.store.head());
      const show = createProgress(process.stderr);
      const what = projections.length === 1 ? projections[0]?.name : `${projections.length} projections`;
      await rebuildTogether(system, projections, {
        signal,
        pace: isGentle ? gentlePace() : fastPace(),
        onProgress(position, step) {
          if (step === 'reading') show(`${what}${isGentle ? ' (gentle)' : ''}`, Number(position), head);
        },
        onReplaced(name, position) {
          replaced++;
          print([rebuiltLine(name, position, performance.now() - started)]);
        },
      });
      return true;
    },
    () =>
      replaced === 0 ? 'nothing was changed.' : 'what is named above is rebuilt, the rest is as it was.',
  );
}

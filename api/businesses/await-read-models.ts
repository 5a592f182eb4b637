import type { Deps } from '#api/deps.ts';
import type { Position } from '#core/event-store/port.ts';

/** Waits until what was written is what is read; marks the answer `x-read-model: behind` when that takes too long. */
export async function awaitReadModels(
  { readSide }: Pick<Deps, 'readSide'>,
  names: readonly string[],
  position: Position,
  set: { headers: Record<string, string | number> },
): Promise<void> {
  if ((await readSide.waitFor(names, position)) === 'behind') set.headers['x-read-model'] = 'behind';
}

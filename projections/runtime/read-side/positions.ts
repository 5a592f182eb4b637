import { comparePositions, type Position, START } from '#core/event-store/port.ts';

/** How far each projection is known to be in this process. */
export type Positions = Readonly<{
  /** Notes progress. Never goes back. */
  advance(projection: string, position: Position): void;
  /** Notes a position also where it went back: the log was restored and the tables rebuilt. */
  set(projection: string, position: Position): void;
  of(projection: string): Position;
  hasPassed(projections: readonly string[], position: Position): boolean;
  /** Calls back after each change; answers the way to stop. */
  onMove(listener: () => void): () => void;
}>;

export function createPositions(): Positions {
  const known = new Map<string, Position>();
  const listeners = new Set<() => void>();
  const set = (projection: string, position: Position) => {
    known.set(projection, position);
    for (const listener of listeners) listener();
  };
  const of = (projection: string) => known.get(projection) ?? START;
  return {
    set,
    of,
    advance(projection, position) {
      if (comparePositions(position, of(projection)) > 0) set(projection, position);
    },
    hasPassed: (projections, position) =>
      projections.every((projection) => comparePositions(of(projection), position) >= 0),
    onMove(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

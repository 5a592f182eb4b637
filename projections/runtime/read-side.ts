import type { Position } from '#core/event-store/port.ts';
import type { Change } from './projection.ts';

/** What a process knows of the read models: how far they are, and what just changed. Works across processes. */
export type ReadSide = Readonly<{
  /**
   * Resolves when every named projection has passed `position`, with `'behind'` after `timeoutMs`
   * or at once while one of them is rebuilding (DESIGN.md §4, "Read your own writes").
   */
  waitFor(
    projections: readonly string[],
    position: Position,
    timeoutMs?: number,
  ): Promise<'caught-up' | 'behind'>;
  /** Calls back for each change of a read model, in this process or another; answers the way to stop. */
  onChange(listener: (change: Change & { position: Position }) => void): () => void;
  /**
   * Calls back when changes may have been missed: at each (re)connection to the database and after a rebuild.
   * What is cached from the read models is then to be dropped. Answers the way to stop.
   */
  onGap(listener: () => void): () => void;
  /** How far each projection is, for readiness and `ute projections status`. */
  status(): Promise<ProjectionStatus[]>;
  close(): Promise<void>;
}>;

export type ProjectionStatus = Readonly<{
  name: string;
  /** Of the code that asks; its tables are this version's alone. */
  version: number;
  position: Position;
  head: Position;
  /** `building`: its tables have not been filled yet, and are not to be read. */
  state: 'live' | 'rebuilding' | 'behind' | 'building';
  /** Events set aside because they cannot be read. */
  parked: number;
}>;

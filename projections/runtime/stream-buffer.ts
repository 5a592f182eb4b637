/** A row that stands for one stream. Columns are named as in the table; instants are ISO strings. */
export type StreamRow = Readonly<{ revision: number }>;

/** What a batch made of one row, or of what is known of one stream. */
export type Transition<State extends StreamRow> = Readonly<{ before: State | undefined; after: State }>;

/**
 * Streams that a build from the first event has folded and not written yet. Most events of a job lie close together, so
 * most jobs are written once, as they are at the end.
 */
export class StreamBuffer<State extends StreamRow> {
  /** By the stream's id, the one that moved last at the end; `before` is what the tables hold of it. */
  private readonly streams = new Map<string, Transition<State>>();

  get size(): number {
    return this.streams.size;
  }

  get(id: string): State | undefined {
    return this.streams.get(id)?.after;
  }

  put(id: string, { before, after }: Transition<State>): void {
    const held = this.streams.get(id);
    this.streams.delete(id);
    this.streams.set(id, { before: held ? held.before : before, after });
  }

  /** Removes and answers all but the `most` streams that moved last. */
  takeAllBut(most: number): Transition<State>[] {
    const taken: Transition<State>[] = [];
    for (const [id, transition] of this.streams) {
      if (this.streams.size <= most) break;
      this.streams.delete(id);
      taken.push(transition);
    }
    return taken;
  }
}

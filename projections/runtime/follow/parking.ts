import type { PoolClient } from 'pg';
import type { RecordedEvent } from '#core/event-store/port.ts';
import type { Build } from '#projections/runtime/build.ts';

type Stored = Pick<Build, 'key' | 'checkpoints'>;

export type Parked = Readonly<{ event: RecordedEvent; reason: string }>;

/**
 * Divides a batch into what can be applied and what is set aside: unreadable events, the ones `rejected` names
 * (position to reason), and whatever follows in a stream that has something parked, now or before.
 */
export function setAside(
  events: readonly RecordedEvent[],
  rejected: ReadonlyMap<string, string>,
  parkedBefore: Iterable<string>,
): { sound: RecordedEvent[]; parked: Parked[] } {
  const blocked = new Set(parkedBefore);
  const sound: RecordedEvent[] = [];
  const parked: Parked[] = [];
  for (const event of events) {
    const reason =
      rejected.get(event.position) ??
      event.unreadable ??
      (blocked.has(event.stream) ? 'follows a parked event' : undefined);
    if (reason === undefined) sound.push(event);
    else {
      blocked.add(event.stream);
      parked.push({ event, reason });
    }
  }
  return { sound, parked };
}

/** Writes down what was set aside. The same event twice is one row. */
export async function park(
  db: PoolClient,
  { key, checkpoints }: Stored,
  parked: readonly Parked[],
): Promise<void> {
  if (parked.length === 0) return;
  const rows = parked.map(({ event, reason }) => ({
    [checkpoints.follower]: key,
    position: event.position,
    stream: event.stream,
    revision: event.revision,
    type: event.type,
    reason: reason.slice(0, 300),
  }));
  await db.query(
    `insert into ${checkpoints.parked}
     select * from json_populate_recordset(null::${checkpoints.parked}, $1)
     on conflict (${checkpoints.follower}, position) do nothing`,
    [JSON.stringify(rows)],
  );
}

/** The streams of these events that have something parked. */
export async function parkedStreams(
  db: PoolClient,
  { key, checkpoints }: Stored,
  events: readonly RecordedEvent[],
): Promise<string[]> {
  if (events.length === 0) return [];
  const streams = [...new Set(events.map((event) => event.stream))];
  const { rows } = await db.query<{ stream: string }>(
    `select distinct stream from ${checkpoints.parked} where ${checkpoints.follower} = $1 and stream = any($2)`,
    [key, streams],
  );
  return rows.map((row) => row.stream);
}

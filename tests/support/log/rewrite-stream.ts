import type { Pool } from 'pg';
import { chainHash, macOf } from '#core/event-store/chain.ts';
import type { NewRawEvent } from '#core/event-store/raw-log.ts';
import type { JsonObject } from '#core/kernel/canonical-json.ts';

type Stored = NewRawEvent & { pos: string; stream: string; revision: number };

/**
 * Changes the data of a stream's events as the operator with every key could who also writes the tables: all hashes and
 * MACs of the stream are computed anew. `admin` is the database's owner.
 */
export async function rewriteStream(
  admin: Pick<Pool, 'query'>,
  stream: string,
  macKey: Buffer,
  change: (event: Stored) => JsonObject,
): Promise<void> {
  const { rows } = await admin.query<Stored>(
    `select pos::text, stream, revision, id, type, schema,
      to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, data, meta as metadata
    from event_store.events where stream = $1 order by revision`,
    [stream],
  );
  await admin.query("set session_replication_role = 'replica'");
  let previous: string | null = null;
  for (const row of rows) {
    const { pos, ...event } = row;
    const { hash: _, mac: __, ...metadata } = event.metadata;
    const data = change(row);
    previous = chainHash(previous, { ...event, data, metadata });
    const mac = macOf(macKey, Buffer.from(previous, 'hex'));
    await admin.query('update event_store.events set data = $2, meta = $3 where pos = $1', [
      ...[pos, data, { ...metadata, hash: previous, mac }],
    ]);
  }
}

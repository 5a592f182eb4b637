import type { Pool } from 'pg';
import { isMac } from '#core/event-store/chain.ts';
import { comparePositions, type Position } from '#core/event-store/port.ts';
import type { LogLeaf, RawEvent } from '#core/event-store/raw-log.ts';
import { plannedOnce } from '#core/postgres/statement.ts';

/**
 * How long events may still come without a code after the first that has one, in milliseconds: while processes of an older
 * release run beside those of this one.
 */
const GRACE = 24 * 60 * 60_000;

/** What is wrong with an event: it has no code though it must have one, or one that does not fit. */
export type MacFault = 'mac-missing' | 'mac-wrong';

/** The position after which each event must have a code; null until a day after the first that has one. */
export async function macsRequiredAfter(db: Pool): Promise<Position | null> {
  const { rows } = await db.query<{ after: Position | null }>(
    plannedOnce('select macs_after::text as after from proof.progress', []),
  );
  return rows[0]?.after ?? null;
}

/** What is wrong with the code of an event, if `after` is what is required; null when it fits, or need not be there. */
export function macFault(
  { position, hash, mac }: Pick<LogLeaf, 'position' | 'hash' | 'mac'>,
  { key, after }: Readonly<{ key: Buffer; after: Position | null }>,
): MacFault | null {
  if (mac !== null) return isMac(key, hash, mac) ? null : 'mac-wrong';
  return after !== null && comparePositions(position, after) > 0 ? 'mac-missing' : null;
}

/** Events that something else than the product appended: how many, and the first. */
export type MacFaults = Readonly<{
  count: number;
  first: Pick<RawEvent, 'position' | 'stream' | 'revision'> & { fault: MacFault };
}>;

/** Looks at the MACs of events page by page, for an audit: `found` is null while all fit. */
export function macLook(required: Readonly<{ key: Buffer; after: Position | null }>): {
  look(page: readonly RawEvent[]): void;
  found(): MacFaults | null;
} {
  let found: MacFaults | null = null;
  return {
    look(page) {
      for (const { position, stream, revision, metadata } of page) {
        const hash = Buffer.from(metadata.hash, 'hex');
        const fault = macFault({ position, hash, mac: metadata.mac ?? null }, required);
        if (fault)
          found = {
            count: (found?.count ?? 0) + 1,
            first: found?.first ?? { position, stream, revision, fault },
          };
      }
    },
    found: () => found,
  };
}

/** The first fault among the next leaves of the tree. Notes when codes were first seen, and from where on each must have one. */
export async function firstMacFault(
  db: Pool,
  leaves: readonly LogLeaf[],
  { key, now, grown }: Readonly<{ key: Buffer; now: Date; grown: Position }>,
): Promise<MacFault | null> {
  if (leaves.length === 0) return null;
  const hasMac = leaves.some(({ mac }) => mac !== null);
  await noteMacs(db, { hasMac, now, grown });
  const after = await macsRequiredAfter(db);
  for (const leaf of leaves) {
    const fault = macFault(leaf, { key, after });
    if (fault) return fault;
  }
  return null;
}

async function noteMacs(
  db: Pool,
  { hasMac, now, grown }: Readonly<{ hasMac: boolean; now: Date; grown: Position }>,
): Promise<void> {
  await db.query(
    plannedOnce(
      `update proof.progress set macs_since = coalesce(macs_since, $1::timestamptz),
        macs_after = case when macs_since < $2::timestamptz then $3::bigint end
      where macs_after is null and (macs_since < $2::timestamptz or (macs_since is null and $4::boolean))`,
      [now, new Date(now.getTime() - GRACE), grown, hasMac],
    ),
  );
}

/** Lets events without a code pass for a day again, as after a release that makes none ran for a while. */
export async function forgetMacs(db: Pool): Promise<void> {
  await db.query('update proof.progress set macs_since = null, macs_after = null');
}

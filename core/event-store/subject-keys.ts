import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import { listen } from '#core/postgres/listen.ts';
import { plannedOnce } from '#core/postgres/statement.ts';
import { createQuery } from './query.ts';
import { open, seal } from './sealed.ts';

/** 32 bytes, or that they were destroyed: what they sealed cannot be read any more. */
export type SubjectKey = Buffer | 'destroyed';

/** The keys of the people that events speak of. Every method throws `EventStoreUnavailableError` on an outage. */
export type SubjectKeys = Readonly<{
  /**
   * The keys that there are, in one query at most. A subject without one, or whose key does not open, is left out. `uncached` keys
   * are not stored: a reader of very many people's events would push all others out.
   */
  find(subjects: readonly string[], caching?: 'uncached'): Promise<ReadonlyMap<string, SubjectKey>>;
  /** The keys of all these subjects, made where there are none yet. A destroyed one stays destroyed. */
  ensure(subjects: readonly string[]): Promise<ReadonlyMap<string, SubjectKey>>;
  /**
   * Erases these people from all events, past and future; answers how many keys there were. Other processes follow as soon
   * as they are notified (`hearDestroyedKeys`), within a minute where they are not.
   */
  destroy(...subjects: readonly string[]): Promise<number>;
  /** Forgets what is cached of a subject, or of all: the next one to ask reads the table. */
  drop(subject: string | null): void;
}>;

const CHANNEL = 'subject_keys';

/** Drops the keys from these caches that any process destroys, at once. Answers the way to stop. */
export function hearDestroyedKeys(
  connectionString: string,
  caches: readonly Pick<SubjectKeys, 'drop'>[],
): () => Promise<void> {
  const drop = (subject: string | null) => {
    for (const cache of caches) cache.drop(subject);
  };
  // After a break in the connection it is unknown what was missed.
  return listen({ connectionString, channel: CHANNEL, onPayload: drop, onListening: () => drop(null) });
}

type Row = { subject: string; wrapped_key: Buffer | null };
type Cached = { key: SubjectKey; readAt: number };

const CACHED_KEYS = 20_000;
const CACHE_MS = 60_000;

/** Keys in `state.subject_keys`, each wrapped by `dataKey` (32 bytes). */
export function createSubjectKeys({ pool, dataKey }: { pool: Pool; dataKey: Buffer }): SubjectKeys {
  if (dataKey.length !== 32) throw new RangeError('the data key is not 32 bytes');
  const query = createQuery(pool);
  const cache = new LRUCache<string, Cached>({ max: CACHED_KEYS });

  function recall(subjects: readonly string[]) {
    const found = new Map<string, SubjectKey>();
    const oldest = performance.now() - CACHE_MS;
    for (const subject of subjects) {
      const cached = cache.get(subject);
      if (cached && (cached.key === 'destroyed' || cached.readAt >= oldest)) found.set(subject, cached.key);
    }
    const missing = [...new Set(subjects)].filter((subject) => !found.has(subject));
    return { found, missing };
  }

  function remember(rows: readonly Row[], found: Map<string, SubjectKey>, caching?: 'uncached'): void {
    for (const { subject, wrapped_key } of rows) {
      const key = wrapped_key === null ? 'destroyed' : unwrap(dataKey, subject, wrapped_key);
      if (!key) continue;
      if (caching !== 'uncached') cache.set(subject, { key, readAt: performance.now() });
      found.set(subject, key);
    }
  }

  async function find(
    subjects: readonly string[],
    caching?: 'uncached',
  ): Promise<ReadonlyMap<string, SubjectKey>> {
    const { found, missing } = recall(subjects);
    if (missing.length > 0) {
      remember(
        await query<Row>(
          plannedOnce('select subject, wrapped_key from state.subject_keys where subject = any($1)', [
            missing,
          ]),
        ),
        found,
        caching,
      );
    }
    return found;
  }

  /** Makes the keys of those who have none; the others are left out of the answer. */
  async function make(subjects: readonly string[]): Promise<Map<string, SubjectKey>> {
    const made = new Map<string, SubjectKey>();
    remember(
      await query<Row>(
        plannedOnce(
          `insert into state.subject_keys (subject, wrapped_key)
          select * from unnest($1::text[], $2::bytea[]) on conflict do nothing returning subject, wrapped_key`,
          [subjects, subjects.map((subject) => wrap(dataKey, subject, randomBytes(32)))],
        ),
      ),
      made,
    );
    return made;
  }

  return {
    find,
    async ensure(subjects) {
      const { found, missing } = recall(subjects);
      if (missing.length === 0) return found;
      // Made before looked for: who is written about is known from what was read just before, or new.
      const made = await make(missing);
      const there = await find(missing.filter((subject) => !made.has(subject)));
      const keys = new Map([...found, ...made, ...there]);
      if (missing.some((subject) => !keys.has(subject)))
        throw new Error('a subject key does not open with DATA_KEY');
      return keys;
    },
    async destroy(...subjects) {
      const destroyed = await query<{ subject: string }>({
        text: `with destroyed as (
            insert into state.subject_keys (subject, wrapped_key, destroyed_at)
            select subject, null, now() from unnest($1::text[]) as subject
            on conflict (subject) do update set wrapped_key = null, destroyed_at = now()
            where state.subject_keys.destroyed_at is null returning subject
          )
          select subject, pg_notify('${CHANNEL}', subject) from destroyed`,
        values: [[...new Set(subjects)]],
      });
      for (const subject of subjects) cache.set(subject, { key: 'destroyed', readAt: performance.now() });
      return destroyed.length;
    },
    drop(subject) {
      if (subject === null) cache.clear();
      else cache.delete(subject);
    },
  };
}

/** iv (12 bytes), tag (16), sealed key (32); bound to the subject, so that rows cannot be swapped. */
function wrap(dataKey: Buffer, subject: string, key: Buffer): Buffer {
  const { iv, tag, ct } = seal(dataKey, key, subject);
  return Buffer.concat([iv, tag, ct]);
}

function unwrap(dataKey: Buffer, subject: string, wrapped: Buffer): Buffer | null {
  try {
    const sealed = { iv: wrapped.subarray(0, 12), tag: wrapped.subarray(12, 28), ct: wrapped.subarray(28) };
    return open(dataKey, sealed, subject);
  } catch {
    return null;
  }
}

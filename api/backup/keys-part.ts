import type { Pool } from 'pg';
import type { KeysPart } from './manifest.ts';
import { nameOfInstant, type ObjectWriter, type StoredObject } from './objects.ts';

/** All keys are written once in this time, in milliseconds; between, what has changed. */
const FULL_EVERY = 24 * 60 * 60_000;
/** A row may be committed so long after the instant that it bears, in milliseconds. */
const OVERLAP = 5 * 60_000;
/** More changes than so many become one object. */
const MOST_CHANGES = 60;
const PAGE = 20_000;

/** A subject's wrapped key; null once it was destroyed. Instants as Postgres writes them in JSON. */
export type StoredKey = Readonly<{
  subject: string;
  /** Base64. */
  key: string | null;
  createdAt: string;
  destroyedAt: string | null;
}>;

const COLUMNS = `subject, json_build_object('subject', subject, 'key', translate(encode(wrapped_key, 'base64'), E'\\n', ''),
  'createdAt', created_at, 'destroyedAt', destroyed_at)::text as line`;

/**
 * Writes the wrapped keys that changed since `previous`, once a day all of them. To be called after the log was written: a
 * key is made before the event that needs it, so these open all of it. Answers `previous` with a later instant when
 * none has changed.
 * @param seen the changes that the last call wrote: those instants overlap, and the same rows are not written again
 */
export async function writeKeys(
  pool: Pool,
  writer: ObjectWriter,
  previous: KeysPart | null,
  seen: Set<string>,
): Promise<KeysPart> {
  const { rows } = await pool.query<{ now: Date }>('select now() as now');
  const now = rows[0]?.now ?? new Date(0);
  const at = now.toISOString();
  const fullAt = Date.parse(previous?.fullAt ?? '');
  if (!previous || !(now.getTime() - fullAt < FULL_EVERY)) {
    const recent = await changedSince(pool, new Date(now.getTime() - OVERLAP));
    const full = await writeRows(pool, writer, `keys/${nameOfInstant(now)}-full`, null);
    seen.clear();
    for (const line of recent) seen.add(line);
    return { at, fullAt: at, full, changes: [] };
  }
  if (previous.changes.length >= MOST_CHANGES) {
    const changes = await writeRows(pool, writer, nameOfChanges(now), new Date(fullAt - OVERLAP));
    return { ...previous, at, changes };
  }
  const lines = await changedSince(pool, new Date(Date.parse(previous.at) - OVERLAP));
  const fresh = lines.filter((line) => !seen.has(line));
  seen.clear();
  for (const line of lines) seen.add(line);
  if (fresh.length === 0) return { ...previous, at };
  const object = await writer.lines(`${nameOfChanges(now)}.ndjson.zst.age`, fresh);
  return { ...previous, at, changes: [...previous.changes, object] };
}

const nameOfChanges = (at: Date) => `keys/${nameOfInstant(at)}-changes`;

async function changedSince(pool: Pool, since: Date): Promise<string[]> {
  const { rows } = await pool.query<{ subject: string; line: string }>(
    `select ${COLUMNS} from state.subject_keys where created_at > $1
     union all
     select ${COLUMNS} from state.subject_keys where destroyed_at > $1 and created_at <= $1`,
    [since],
  );
  return rows.map(({ line }) => line);
}

/** Page by page in the order of the subjects; null for `since`: all of them. */
async function writeRows(
  pool: Pool,
  writer: ObjectWriter,
  name: string,
  since: Date | null,
): Promise<StoredObject[]> {
  const objects: StoredObject[] = [];
  for (let after = ''; ; ) {
    const { rows } = await pool.query<{ subject: string; line: string }>(
      `select ${COLUMNS} from state.subject_keys
       where subject > $1 and ($2::timestamptz is null or created_at > $2 or destroyed_at > $2)
       order by subject limit $3`,
      [after, since, PAGE],
    );
    if (rows.length > 0) {
      const object = `${name}-${objects.length}.ndjson.zst.age`;
      objects.push(
        await writer.lines(
          object,
          rows.map(({ line }) => line),
        ),
      );
    }
    if (rows.length < PAGE) return objects;
    after = rows.at(-1)?.subject ?? after;
  }
}

/** Stores the keys of an object, those of later objects over earlier ones. A destroyed key stays destroyed. */
export async function storeKeys(db: Pick<Pool, 'query'>, lines: readonly string[]): Promise<void> {
  await db.query(
    `insert into state.subject_keys as stored (subject, wrapped_key, created_at, destroyed_at)
     select subject, decode(key, 'base64'), "createdAt", "destroyedAt"
     from json_to_recordset($1::json) as given(subject text, key text, "createdAt" timestamptz, "destroyedAt" timestamptz)
     on conflict (subject) do update set
       wrapped_key = case when stored.destroyed_at is null then excluded.wrapped_key end,
       destroyed_at = coalesce(stored.destroyed_at, excluded.destroyed_at)`,
    [`[${lines.join(',')}]`],
  );
}

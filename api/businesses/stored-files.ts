import { randomBytes } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { loadBusiness } from '#api/accounts/load-account.ts';
import type { Deps } from '#api/deps.ts';
import { subjectOfFile } from '#api/providers/sealed-files.ts';
import { unusedFileLife } from '#core/values/uploads.ts';

/** A business's logo, a customer's file, a photo of the work. */
type FileKind = 'logo' | 'media' | 'photo';

/** What is known of a file beside its bytes. `id` is its name in the file store, in no way to be guessed. */
type StoredFile = Readonly<{
  id: string;
  businessId: string;
  kind: FileKind;
  name: string;
  mime: string;
  bytes: number;
}>;

/** The job that a file is of, or is sent for; null while it has none. */
type OfJob = Readonly<{ jobId: string | null }>;

/** 192 random bits. */
export function newFileId(): string {
  return randomBytes(24).toString('base64url');
}

const ID = /^[A-Za-z0-9_-]{32}$/;

/** Whether a text could be the id of a file at all. */
export function isFileId(text: string): boolean {
  return ID.test(text);
}

/**
 * Writes a file down before its bytes are stored, so that no bytes are ever without an owner. Not attached to a job, it goes in a day;
 * `jobId` is that of the customer under whose key it is sealed.
 */
export async function recordFile(
  db: Pool | PoolClient,
  file: StoredFile & Partial<OfJob>,
  now: Date,
): Promise<void> {
  const { id, businessId, kind, name, mime, bytes, jobId = null } = file;
  const subject = kind === 'logo' ? null : subjectOfFile({ id, jobId });
  await db.query(
    `insert into state.files (id, business_id, kind, name, mime, bytes, created_at, expires_at, sealed_for)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [id, businessId, kind, name, mime, bytes, now, new Date(now.getTime() + unusedFileLife), subject],
  );
}

/** A file that has not expired, by its id; null for any other. */
export async function findFile(db: Pool, id: string, now: Date): Promise<(StoredFile & OfJob) | null> {
  const { rows } = await db.query<StoredFile & OfJob>(
    `select id, business_id as "businessId", kind, name, mime, bytes, job_id as "jobId" from state.files
     where id = $1 and (expires_at is null or expires_at > $2)`,
    [id, now],
  );
  return rows[0] ?? null;
}

/**
 * The one logo that a business shows stays; those that it showed before go in a day, when no open page shows them any
 * more. Null: it shows none.
 */
export async function keepLogo(
  db: Pool | PoolClient,
  businessId: string,
  logo: string | null,
  now: Date,
): Promise<void> {
  await db.query(
    `update state.files
     set expires_at = case when id = $2 then null else coalesce(expires_at, $3) end
     where business_id = $1 and kind = 'logo' and (id = $2 or expires_at is null)`,
    [businessId, logo, new Date(now.getTime() + unusedFileLife)],
  );
}

type SweepDeps = Pick<Deps, 'db' | 'store' | 'subjectKeys' | 'files' | 'now'>;

type Due = Readonly<{ id: string; business_id: string; kind: FileKind; sealed_for: string | null }>;

const AT_ONCE = 100;
/** An attachment that was in time may still be on its way to the table, in milliseconds. */
const GRACE = 60_000;

/**
 * Deletes the files whose time is up; answers how many. A file that cannot be deleted just now holds up no other: what
 * was wrong with the first of them is thrown at the end.
 */
export async function sweepFiles(deps: SweepDeps): Promise<number> {
  const { rows } = await deps.db.query<Due>(
    'select id, business_id, kind, sealed_for from state.files where expires_at <= $1 order by expires_at limit $2',
    [new Date(deps.now().getTime() - GRACE), AT_ONCE],
  );
  let deleted = 0;
  const failures: unknown[] = [];
  for (const due of rows) {
    await sweep(deps, due).then(
      (isGone) => {
        deleted += isGone ? 1 : 0;
      },
      (error: unknown) => failures.push(error),
    );
  }
  if (failures.length > 0) throw failures[0];
  return deleted;
}

/**
 * Bytes first, so that a crash between leaves a row to come back to; a file's small picture after the file, as one that is
 * made meanwhile looks for its file last. A logo that its business does show after all, because a process died before it
 * recorded that, is stored.
 */
async function sweep(
  deps: SweepDeps,
  { id, business_id: businessId, kind, sealed_for: subject }: Due,
): Promise<boolean> {
  if (kind === 'logo' && (await loadBusiness(deps, businessId))?.logo === id) {
    await deps.db.query('update state.files set expires_at = null where id = $1', [id]);
    return false;
  }
  await deps.files.remove(`${kind === 'logo' ? 'logos' : 'media'}/${id}`);
  if (kind !== 'logo') await deps.files.remove(`thumbs/${id}`);
  // What earlier versions of a bucket and copies of its disk still hold does not open any more.
  if (subject === subjectOfFile({ id, jobId: null })) await deps.subjectKeys.destroy(subject);
  const { rowCount } = await deps.db.query(
    'delete from state.files where id = $1 and expires_at is not null',
    [id],
  );
  return rowCount === 1;
}

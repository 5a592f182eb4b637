import type { Pool, PoolClient } from 'pg';
import { assertRoom, fileNameFor, safeFile } from '#api/businesses/safe-file.ts';
import { newFileId, recordFile } from '#api/businesses/stored-files.ts';
import type { Deps } from '#api/deps.ts';
import { botCheckFailed, httpErrorFor } from '#api/http/answers.ts';
import { returnUpload, spendUpload } from '#api/http/bot-check-tickets.ts';
import { ownTurn, type Turn } from '#api/http/gate.ts';
import type { Media } from '#core/job/request/events.ts';
import { InvalidInputError } from '#core/kernel/errors.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { mediaUpload } from '#core/values/uploads.ts';

type Upload = Readonly<{ businessId: string; bytes: Uint8Array; name: string; turn?: Turn }>;

/**
 * Keeps a customer's file for a business: a PDF as it is, a picture drawn anew, without the place where it was taken.
 * It goes in 24 hours unless `attachMedia` gives it to a job. Throws 413 above 5 MiB, 422 with `fields.media` for another
 * kind of file, a damaged one or one with a virus, 503 while no scanner is available, 409 when the business has no room for more.
 */
export async function storeMedia(
  deps: Pick<Deps, 'config' | 'db' | 'files' | 'now'>,
  { businessId, bytes, name, turn = ownTurn }: Upload,
): Promise<Media> {
  const { bytes: stored, mime } = await safeFile(deps, bytes, { ...turn, rank: 'stranger', businessId });
  const media = { id: newFileId(), name: fileNameFor(name, mime), mime, bytes: stored.length };
  const now = deps.now();
  await inTransaction(deps.db, async (db) => {
    await assertRoom(db, { businessId, kind: 'media' }, stored.length);
    await recordFile(db, { ...media, businessId, kind: 'media' }, now);
  });
  await deps.files.put(`media/${media.id}`, stored, mime);
  return media;
}

/** Refusals that are not the file's fault. */
const OURS = [408, 409, 429, 500, 503];

/**
 * Takes a file in for one of the five uploads of a ticket, which is given back where a refusal is not the file's fault. Throws 400
 * for a ticket that was used up or is too old.
 */
export async function withUploadTicket<T>(
  deps: Pick<Deps, 'db' | 'now'>,
  ticket: string,
  take: () => Promise<T>,
): Promise<T> {
  if (!(await spendUpload(deps.db, ticket, 'public-form', deps.now())))
    throw botCheckFailed('The bot check was used or is too old, please try again');
  try {
    return await take();
  } catch (error) {
    // Should this fail too, a new ticket is a second's work.
    if (OURS.includes(httpErrorFor(error).status)) await returnUpload(deps.db, ticket).catch(() => {});
    throw error;
  }
}

/**
 * Gives a business's files to a job of its, in the caller's transaction, in the order of `ids`; answers what the job's
 * event says of them. The same again changes nothing. Throws InvalidInputError with `media` for more than five, and for a
 * file that is not there, another business's or another job's.
 */
export async function attachMedia(
  db: PoolClient,
  { businessId, jobId, ids }: Readonly<{ businessId: string; jobId: string; ids: readonly string[] }>,
  now: Date,
): Promise<Media[]> {
  if (ids.length === 0) return [];
  if (new Set(ids).size > mediaUpload.files) throw refusal(mediaUpload.tooMany);
  const { rows } = await db.query<Media>(
    `update state.files set job_id = $2, expires_at = null
     where id = any($3) and business_id = $1 and kind = 'media' and coalesce(job_id, $2) = $2
       and (expires_at is null or expires_at > $4)
     returning id, name, mime, bytes`,
    [businessId, jobId, ids, now],
  );
  return [...new Set(ids)].map((id) => {
    const media = rows.find((row) => row.id === id);
    if (!media) throw refusal(mediaUpload.lost);
    return media;
  });
}

/** Those of `ids` that are files of this business and wait for a job, in their order. */
export async function findWaitingMedia(
  db: Pool,
  { businessId, ids }: Readonly<{ businessId: string; ids: readonly string[] }>,
  now: Date,
): Promise<Media[]> {
  const { rows } = await db.query<Media>(
    `select id, name, mime, bytes from state.files
     where id = any($2) and business_id = $1 and kind = 'media' and job_id is null and expires_at > $3`,
    [businessId, ids, now],
  );
  return [...new Set(ids)].flatMap((id) => rows.find((row) => row.id === id) ?? []);
}

/** The files that a job was given. */
export async function mediaOfJob(
  db: PoolClient,
  { businessId, jobId }: Readonly<{ businessId: string; jobId: string }>,
): Promise<Media[]> {
  const { rows } = await db.query<Media>(
    `select id, name, mime, bytes from state.files
     where job_id = $2 and business_id = $1 and kind = 'media' order by created_at, id`,
    [businessId, jobId],
  );
  return rows;
}

function refusal(message: string): InvalidInputError {
  return new InvalidInputError('Please check what you entered', { media: message });
}

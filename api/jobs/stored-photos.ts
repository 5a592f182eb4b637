import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { assertRoom, safeFile } from '#api/businesses/safe-file.ts';
import { recordFile } from '#api/businesses/stored-files.ts';
import type { Deps } from '#api/deps.ts';
import { invalid } from '#api/http/answers.ts';
import { ownTurn, type Turn } from '#api/http/gate.ts';
import { subjectOfFile } from '#api/providers/sealed-files.ts';
import { photoNotFoundMessage } from '#core/job/photos/decide.ts';
import type { WorkPhoto } from '#core/job/photos/events.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { isPictureType, logoUpload } from '#core/values/uploads.ts';

/** A photo, and the job of a business that it is of. */
export type PhotoOfJob = Readonly<{ businessId: string; jobId: string; photoId: string }>;

/** How long the bytes of a removed photo wait for an undo, in milliseconds. */
const removedLife = 24 * 60 * 60_000;

/**
 * Stores a photo under the id that its sender made, drawn anew and without the place where it was taken. The same id again
 * answers what is stored. It goes in 24 hours unless `attachPhoto` gives it to its job. Throws as `safeFile` does, 409 when the
 * business has no room for more or the job's customer was erased, NotFoundError for an id that is another file's.
 */
export async function storePhoto(
  deps: Pick<Deps, 'config' | 'db' | 'files' | 'now'>,
  {
    businessId,
    jobId,
    photoId,
    bytes,
    turn = ownTurn,
  }: PhotoOfJob & Readonly<{ bytes: Uint8Array; turn?: Turn }>,
): Promise<Pick<WorkPhoto, 'mime' | 'bytes' | 'sha256'>> {
  const key = `media/${photoId}` as const;
  const known = await findPhoto(deps.db, { businessId, jobId, photoId });
  const stored = known && (await deps.files.get(key));
  if (known && stored) return { mime: known.mime, bytes: stored.length, sha256: hashOf(stored) };
  const file = await safeFile(deps, bytes, { ...turn, rank: 'member', businessId });
  if (!isPictureType(file.mime)) throw invalid({ media: logoUpload.wrongType });
  const { mime } = file;
  await inTransaction(deps.db, async (db) => {
    await assertRoom(db, { businessId, kind: 'photo' }, file.bytes.length);
    await db.query(`delete from state.files where id = $1 and business_id = $2 and kind = 'photo'`, [
      photoId,
      businessId,
    ]);
    const photo = { id: photoId, businessId, jobId, kind: 'photo', name: nameOf(mime), mime } as const;
    await recordFile(db, { ...photo, bytes: file.bytes.length }, deps.now());
  });
  await deps.files.put(key, file.bytes, mime, subjectOfFile({ id: photoId, jobId }));
  return { mime, bytes: file.bytes.length, sha256: hashOf(file.bytes) };
}

/** Gives a stored photo to its job for good; false where its bytes are gone. */
export async function attachPhoto(
  db: Pool,
  { businessId, jobId, photoId }: PhotoOfJob,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update state.files set job_id = $3, expires_at = null
     where id = $1 and business_id = $2 and kind = 'photo' and coalesce(job_id, $3) = $3
       and (expires_at is null or expires_at > $4)`,
    [photoId, businessId, jobId, now],
  );
  return rowCount === 1;
}

/** Lets the bytes of a photo go in a day. Its job stays known, so that an erasure finds them. */
export async function letPhotoGo(
  db: Pool,
  { businessId, jobId, photoId }: PhotoOfJob,
  now: Date,
): Promise<void> {
  await db.query(
    `update state.files set expires_at = coalesce(expires_at, $4)
     where id = $1 and business_id = $2 and kind = 'photo' and job_id = $3`,
    [photoId, businessId, jobId, new Date(now.getTime() + removedLife)],
  );
}

/** A photo of this business that is of this job or of none yet; null for an id that is free. Throws NotFoundError for another's. */
async function findPhoto(
  db: Pool,
  { businessId, jobId, photoId }: PhotoOfJob,
): Promise<Readonly<{ mime: string }> | null> {
  const { rows } = await db.query<{ mime: string; isOwn: boolean }>(
    `select mime, business_id = $2 and kind = 'photo' and coalesce(job_id, $3) = $3 as "isOwn"
     from state.files where id = $1`,
    [photoId, businessId, jobId],
  );
  const [row] = rows;
  if (row && !row.isOwn) throw new NotFoundError(photoNotFoundMessage);
  return row ?? null;
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64');

const nameOf = (mime: string) => `photo.${mime.split('/')[1]}`;

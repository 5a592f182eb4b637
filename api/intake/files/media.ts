import type { Pool, PoolClient } from 'pg';
import { PictureError, redraw } from '#api/businesses/files/picture.ts';
import { type FileType, isPicture, isWhole, sniff } from '#api/businesses/files/sniff.ts';
import { newFileId, recordFile } from '#api/businesses/files/stored-files.ts';
import type { Deps } from '#api/deps.ts';
import { HttpError, invalid } from '#api/http/http-errors.ts';
import { isClean } from '#api/providers/virus-scan.ts';
import type { Media } from '#core/job/events.ts';
import { InvalidInputError } from '#core/kernel/errors.ts';
import { lockUntilCommit } from '#core/postgres/locks.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { singleLine } from '#core/values/text.ts';
import { mediaUpload } from '#core/values/uploads.ts';

/** What a business has room for, in bytes. */
export const mediaRoom = {
  /** Files of its jobs. */
  attached: 2 * 1024 * 1024 * 1024,
  /** Files of requests that have not been sent. */
  waiting: 200 * 1024 * 1024,
} as const;

const INFECTED = 'Our virus scanner refuses this file';
const reasons = {
  damaged: 'This file is damaged, please use another one',
  'too large': 'This image is too large, please use a smaller one',
  'too slow': 'This image took too long, please use a smaller one',
} as const;

/** Large enough to read a type plate by; no more to begin with than 100 MB of memory hold. */
const drawing = { side: 2_560, mostPixels: 25_000_000 } as const;

type Upload = Readonly<{ businessId: string; bytes: Uint8Array; name: string }>;

/**
 * Keeps a customer's file for a business: a PDF as it is, a picture drawn anew, without the place where it was taken.
 * It goes in 24 hours unless `attachMedia` gives it to a job. Throws 413 above 5 MiB, 422 with `fields.media` for another
 * kind of file, a damaged one or one with a virus, 503 while no scanner is available, 409 when the business has no room for more.
 */
export async function storeMedia(
  deps: Pick<Deps, 'config' | 'db' | 'files' | 'now'>,
  { businessId, bytes, name }: Upload,
): Promise<Media> {
  if (bytes.length > mediaUpload.bytes) throw new HttpError(413, mediaUpload.tooLarge);
  const mime = sniff(bytes);
  if (mime === null) throw invalid({ media: mediaUpload.wrongType });
  if (!isWhole(bytes, mime)) throw invalid({ media: reasons.damaged });
  const stored = await harmless(bytes, mime);
  const { virusScan } = deps.config;
  if (virusScan && !(await isClean(virusScan, stored))) throw invalid({ media: INFECTED });
  const media = { id: newFileId(), name: fileNameFor(name, mime), mime, bytes: stored.length };
  const now = deps.now();
  await inTransaction(deps.db, async (db) => {
    await assertRoom(db, businessId, stored.length);
    await recordFile(db, { ...media, businessId, kind: 'media' }, now);
  });
  await deps.files.put(`media/${media.id}`, stored, mime);
  return media;
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
    if (!media) throw refusal('One of your files was lost, please add it again');
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

async function harmless(bytes: Uint8Array, mime: FileType): Promise<Uint8Array> {
  if (!isPicture(mime)) return bytes;
  return redraw(bytes, { ...drawing, type: mime }).catch((error: unknown) => {
    throw error instanceof PictureError ? invalid({ media: reasons[error.reason] }) : error;
  });
}

/** Uploads of one business at once wait for each other here, so that together they keep to its room. */
async function assertRoom(db: PoolClient, businessId: string, more: number): Promise<void> {
  await lockUntilCommit(db, `files ${businessId}`);
  const { rows } = await db.query<{ attached: string; waiting: string }>(
    `select coalesce(sum(bytes) filter (where expires_at is null), 0) as attached,
       coalesce(sum(bytes) filter (where expires_at is not null), 0) as waiting
     from state.files where business_id = $1 and kind = 'media'`,
    [businessId],
  );
  const { attached = 0, waiting = 0 } = rows[0] ?? {};
  const isFull = Number(attached) + more > mediaRoom.attached || Number(waiting) + more > mediaRoom.waiting;
  if (isFull) throw new HttpError(409, 'There is no room for more files here: please send them later');
}

function refusal(message: string): InvalidInputError {
  return new InvalidInputError('Please check what you entered', { media: message });
}

const LONGEST = 80;
const extensions: Readonly<Record<FileType, readonly [string, ...string[]]>> = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/webp': ['webp'],
  'application/pdf': ['pdf'],
};

/**
 * A file's name as its sender gave it, made fit to save under: no folders, no signs that a system reads as more than a
 * letter, one line, not hidden, and an ending that says what the file is.
 */
export function fileNameFor(given: string, type: FileType): string {
  const [ending, ...others] = extensions[type];
  const last = given.split(/[/\\]/).at(-1) ?? '';
  const readable = singleLine(last.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}<>:"|?*]/gu, ' ')).replace(/^[. ]+/, '');
  const [, stem = '', had = ''] = /^(.*?)(?:\.([A-Za-z0-9]{1,5}))?$/.exec(readable) ?? [];
  const isRight = [ending, ...others].includes(had.toLowerCase());
  const base = [...(isRight ? stem : readable)].slice(0, LONGEST).join('').trim();
  return `${base || 'file'}.${isRight ? had.toLowerCase() : ending}`;
}

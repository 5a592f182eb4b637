import type { PoolClient } from 'pg';
import type { Deps } from '#api/deps.ts';
import { HttpError, invalid } from '#api/http/answers.ts';
import { isClean } from '#api/providers/virus-scan.ts';
import { lockUntilCommit } from '#core/postgres/locks.ts';
import { type FileType, fileTypeOf } from '#core/values/file-types.ts';
import { singleLine } from '#core/values/text.ts';
import { isPictureType, mediaUpload, pictureProblems } from '#core/values/uploads.ts';
import type { PictureSender } from './files/picture-turns.ts';
import { isWholePdf, PictureError, redraw } from './picture.ts';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

/**
 * What a business has room for, in bytes: files of its jobs, and those that are in none, or no longer. Customers' files and the
 * tradie's photos apart, so that what strangers send leaves the photos their room.
 */
export const mediaRoom = {
  media: { attached: 2 * GIB, waiting: 200 * MIB },
  photo: { attached: 20 * GIB, waiting: 2 * GIB },
} as const;

const noRoom = {
  media: 'There is no room for more files here: please send them later',
  photo: 'There is no room for more photos: remove some of old jobs first',
} as const;

const INFECTED = 'Our virus scanner refuses this file';
const reasons = { ...pictureProblems, damaged: 'This file is damaged, please use another one' } as const;

/** Large enough to read a type plate by; no more to begin with than 100 MB of memory hold. */
const drawing = { side: 2_560, mostPixels: 25_000_000, ground: 'white' } as const;

/** A file that may be stored: its bytes, a picture's drawn anew, and what it is by its content. */
export type SafeFile = Readonly<{ bytes: Uint8Array; mime: FileType }>;

/**
 * A file as it may be stored: a PDF as it is, a picture drawn anew on white, without the place where it was taken. Throws 413 above
 * 5 MiB, 422 with `fields.media` for another kind of file, a damaged one or one with a virus, 503 while no scanner is available.
 */
export async function safeFile(
  { config }: Pick<Deps, 'config'>,
  bytes: Uint8Array,
  sender: PictureSender,
): Promise<SafeFile> {
  if (bytes.length > mediaUpload.bytes) throw new HttpError('too-long', mediaUpload.tooLarge);
  const mime = fileTypeOf(bytes);
  if (mime === null) throw invalid({ media: mediaUpload.wrongType });
  const stored = await harmless(bytes, mime, sender);
  const { virusScan } = config;
  if (virusScan && !(await isClean(virusScan, stored))) throw invalid({ media: INFECTED });
  return { bytes: stored, mime };
}

async function harmless(bytes: Uint8Array, mime: FileType, sender: PictureSender): Promise<Uint8Array> {
  if (!isPictureType(mime)) {
    if (isWholePdf(bytes)) return bytes;
    throw invalid({ media: reasons.damaged });
  }
  return redraw(bytes, { ...drawing, type: mime }, sender).catch((error: unknown) => {
    throw error instanceof PictureError ? invalid({ media: reasons[error.reason] }) : error;
  });
}

/**
 * Throws 409 when the business has no room for so many bytes more. Uploads of one business at once wait for each other here, so
 * that together they keep to its room.
 */
export async function assertRoom(
  db: PoolClient,
  { businessId, kind }: Readonly<{ businessId: string; kind: keyof typeof mediaRoom }>,
  more: number,
): Promise<void> {
  await lockUntilCommit(db, `files ${businessId}`);
  const { rows } = await db.query<{ attached: string; waiting: string }>(
    `select coalesce(sum(bytes) filter (where expires_at is null), 0) as attached,
       coalesce(sum(bytes) filter (where expires_at is not null), 0) as waiting
     from state.files where business_id = $1 and kind = $2`,
    [businessId, kind],
  );
  const { attached = 0, waiting = 0 } = rows[0] ?? {};
  const room = mediaRoom[kind];
  if (Number(attached) + more > room.attached || Number(waiting) + more > room.waiting)
    throw new HttpError('not-possible', noRoom[kind]);
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

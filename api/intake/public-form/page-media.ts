import { createHash } from 'node:crypto';
import type { Deps } from '#api/deps.ts';
import { HttpError, httpErrorFor, invalid } from '#api/http/errors.ts';
import type { Limiter } from '#api/http/limits.ts';
import { findWaitingMedia, storeMedia } from '#api/intake/files/media.ts';
import type { Media } from '#core/job/events.ts';
import { mediaUpload } from '#core/values/uploads.ts';
import type { PagePost } from './page-post.ts';

/** The files of a form that are here, and what is wrong with another: then the form is shown again, and they with it. */
export type PageMedia = Readonly<{ media: readonly Media[]; failure: HttpError | null }>;

type Sender = Readonly<{ businessId: string; sourceHash: string; uploads: Limiter }>;

/** Stores what came with a form, one after the other so that a request costs no more than one picture's memory. */
export async function storePageMedia(
  deps: Pick<Deps, 'config' | 'db' | 'files' | 'now'>,
  { files, keptMedia, hasMore, isCut }: PagePost,
  { businessId, sourceHash, uploads }: Sender,
): Promise<PageMedia> {
  const most = mediaUpload.files;
  const media = await findWaitingMedia(deps.db, { businessId, ids: keptMedia.slice(0, most) }, deps.now());
  const room = most - media.length;
  let failure = isCut
    ? tooLarge()
    : files.length > room || hasMore
      ? invalid({ media: mediaUpload.tooMany })
      : null;
  for (const { name, bytes } of files.slice(0, room)) {
    try {
      await uploads.consume(sourceHash);
      media.push(await storeMedia(deps, { businessId, bytes, name }));
    } catch (error) {
      failure = failureOf(error);
    }
  }
  return { media, failure };
}

/** What a form's files are, whatever ids they were stored under: the same form sent twice is known by it. */
export function fingerprintOf({ files, keptMedia }: PagePost): string[] {
  return [...keptMedia, ...files.map(({ bytes }) => createHash('sha256').update(bytes).digest('hex'))];
}

function tooLarge(): HttpError {
  const media = mediaUpload.tooLarge;
  return new HttpError(413, media, { fields: { media } });
}

/** The same refusal, shown beside the field. */
function failureOf(error: unknown): HttpError {
  const refusal = httpErrorFor(error);
  if (refusal.status >= 500 && refusal.status !== 503) throw error;
  const fields = refusal.extra.fields ?? { media: refusal.message };
  return new HttpError(refusal.status, refusal.message, { ...refusal.extra, fields });
}

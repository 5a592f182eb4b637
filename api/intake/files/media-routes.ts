import { type } from 'arktype';
import { Elysia } from 'elysia';
import { fileAnswer } from '#api/businesses/files/logo-routes.ts';
import { PictureError, redraw } from '#api/businesses/files/picture.ts';
import { findFile, isFileId } from '#api/businesses/files/stored-files.ts';
import type { Deps } from '#api/deps.ts';
import { badRequest, httpErrorFor, notFound, ok } from '#api/http/answers.ts';
import { readUpload } from '#api/http/body/body.ts';
import type { Uploads } from '#api/http/body/uploads.ts';
import { returnUpload, spendUpload } from '#api/http/bot-check-tickets.ts';
import { hashSource } from '#api/http/client-address.ts';
import { contextOf } from '#api/http/request-context.ts';
import { textParameter } from '#api/http/validation.ts';
import { findForm } from '#api/intake/public-form/form.ts';
import { uploadLimiter } from '#api/intake/public-form/intake-limits.ts';
import { isMediaLink } from '#api/jobs/media-link.ts';
import { subjectOfFile } from '#api/providers/sealed-files.ts';
import { withoutContact } from '#core/values/contact-in-text.ts';
import { isPictureType, mediaUpload } from '#core/values/uploads.ts';
import { storeMedia } from './media.ts';

// Both are of the link. One without them is not found, as a wrong one is.
const MediaLink = type({
  exp: textParameter('Of the link').default(''),
  sig: textParameter('Of the link').default(''),
  size: textParameter('`thumb` for a small picture of it', 'thumb').default(''),
});

/**
 * GET /media/{id}?exp&sig: a customer's file or a photo of the work, to be saved and not opened; with `size=thumb` a small picture of it, to be
 * shown. The link is its own proof: it comes with a job's answer and is good for ten minutes, that to a small picture for
 * one to two hours. Anything else is not found.
 */
export function mediaRoutes(deps: Pick<Deps, 'config' | 'db' | 'files' | 'now'>) {
  const thumbnailOf = thumbnailsOf(deps);
  return new Elysia({ name: 'media' }).get(
    '/media/:id',
    async ({ params: { id }, query: { exp, sig, size } }) => {
      const now = deps.now();
      if (!isFileId(id) || !isMediaLink(deps.config, { id, exp, sig, size }, now)) throw notFound();
      const file = await findFile(deps.db, id, now);
      if (!file || file.kind === 'logo') throw notFound();
      if (size === 'thumb') {
        const thumbnail = isPictureType(file.mime) ? await thumbnailOf(file) : null;
        if (!thumbnail) throw notFound();
        return fileAnswer(thumbnail, {
          'content-type': 'image/webp',
          'content-disposition': 'inline',
          'cache-control': 'private, max-age=86400, immutable',
        });
      }
      const bytes = await deps.files.get(`media/${id}`);
      if (!bytes) throw notFound();
      return fileAnswer(bytes, {
        'content-type': file.mime,
        'content-disposition': attachment(file.name),
        'cache-control': 'private, max-age=300',
      });
    },
    { query: MediaLink },
  );
}

/**
 * RFC 6266: the name in plain letters for old browsers, in full for the others. Without contact in it, because the link
 * is good before the job is accepted.
 */
function attachment(given: string): string {
  const end = Math.max(0, given.lastIndexOf('.'));
  const name = withoutContact(given.slice(0, end), 'contact') + given.slice(end);
  const plain = name.replace(/[^A-Za-z0-9 ._-]/g, '_');
  const full = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${full}`;
}

const UploadedFile = type({ name: textParameter('What the file is called', 'tap.jpg').default('') });

const upload = { limit: mediaUpload.bytes, tooLarge: mediaUpload.tooLarge } as const;

/** Refusals that are not the file's fault. */
const OURS = [408, 409, 429, 500, 503];

/**
 * POST /public-forms/{slug}/media?name → { media: { id, name, mime, bytes } }: a file for a request that is to come, as raw
 * bytes. Needs the header `x-bot-check`; a ticket is good for five. What is sent along with no request goes in a day.
 */
export function publicMediaRoutes(deps: Deps, uploads: Uploads) {
  const perSource = uploadLimiter(deps);
  return new Elysia({ name: 'public-media', prefix: '/public-forms' }).post(
    '/:slug/media',
    async ({ params, query, request }) => {
      const found = await findForm(deps, params.slug);
      if (!found) throw notFound();
      const ticket = request.headers.get('x-bot-check');
      if (!ticket) throw badRequest('The bot check is missing, please try again');
      using place = uploads.open(request);
      await perSource.consume(hashSource(contextOf(request).ip, deps.config.keys.botCheck));
      if (!(await spendUpload(deps.db, ticket, 'public-form', deps.now()))) {
        throw badRequest('The bot check was used or is too old, please try again');
      }
      try {
        const bytes = await readUpload(request, upload, place);
        const { businessId } = found;
        return ok({ media: await storeMedia(deps, { businessId, bytes, name: query.name }) });
      } catch (error) {
        // Should this fail too, a new ticket is a second's work.
        if (OURS.includes(httpErrorFor(error).status)) await returnUpload(deps.db, ticket).catch(() => {});
        throw error;
      }
    },
    { query: UploadedFile },
  );
}

/** A thumbnail's longest side in pixels, and the smaller ones for pictures that are too detailed. */
const sides = [320, 240, 160, 80] as const;
/** What a thumbnail may weigh, in bytes: a lead's five photos open in a second on a slow network. */
const thumbnailBytes = 25_000;
const drawing = { mostPixels: 25_000_000, type: 'image/webp' } as const;

type Pictured = Readonly<{ id: string; jobId: string | null }>;

/** Stored in place of a thumbnail that cannot be drawn: one damaged picture is decoded once, not at each look at its job. */
const undrawable = new Uint8Array();

/**
 * The small pictures of customers' files, as WebP: each is made when it is first asked for, and stored beside its file. Null
 * where there is no file or it cannot be drawn. Throws OutageError while the store is unavailable, and 429 when too many wait.
 */
function thumbnailsOf({ files }: Pick<Deps, 'files'>): (file: Pictured) => Promise<Uint8Array | null> {
  const running = new Map<string, Promise<Uint8Array | null>>();

  async function make({ id, jobId }: Pictured): Promise<Uint8Array | null> {
    const whole = await files.get(`media/${id}`);
    if (!whole) return null;
    const drawn = await small(whole);
    if (drawn === 'too slow') return null;
    await files.put(`thumbs/${id}`, drawn ?? undrawable, drawing.type, subjectOfFile({ id, jobId }));
    // Its file may have been removed meanwhile, and the thumbnail that was there by then: this one came too late.
    if (await files.get(`media/${id}`)) return drawn;
    await files.remove(`thumbs/${id}`);
    return null;
  }

  return async (file) => {
    const { id } = file;
    const stored = await files.get(`thumbs/${id}`);
    if (stored) return stored.length > 0 ? stored : null;
    const made = running.get(id) ?? make(file).finally(() => running.delete(id));
    running.set(id, made);
    return made;
  };
}

/** Null where there is nothing to draw; a picture that was too slow may be drawn on a quieter machine. */
async function small(whole: Uint8Array): Promise<Uint8Array | 'too slow' | null> {
  for (const side of sides) {
    const drawn = await redraw(whole, { ...drawing, side }).catch(asOutcome);
    if (drawn === null || drawn === 'too slow' || drawn.length <= thumbnailBytes) return drawn;
  }
  return null;
}

function asOutcome(error: unknown): 'too slow' | null {
  if (error instanceof PictureError) return error.reason === 'too slow' ? 'too slow' : null;
  throw error;
}

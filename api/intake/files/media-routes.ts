import { type } from 'arktype';
import { Elysia } from 'elysia';
import { findFile, isFileId } from '#api/businesses/stored-files.ts';
import type { Deps } from '#api/deps.ts';
import { botCheckFailed, notFound, ok } from '#api/http/answers.ts';
import { readUpload } from '#api/http/body/body.ts';
import type { Uploads } from '#api/http/body/uploads.ts';
import { hashSource } from '#api/http/client-address.ts';
import { fileAnswer } from '#api/http/file-answer.ts';
import { operation } from '#api/http/openapi/operation.ts';
import { contextOf, turnOf } from '#api/http/request-context.ts';
import { textParameter } from '#api/http/validation.ts';
import { storeMedia, withUploadTicket } from '#api/intake/media.ts';
import { uploadLimiter } from '#api/intake/public-form/intake-limits.ts';
import { findForm } from '#api/intake/public-form.ts';
import { isMediaLink } from '#api/jobs/media-link.ts';
import { withoutContact } from '#core/values/contact-in-text.ts';
import { isPictureType, mediaUpload } from '#core/values/uploads.ts';
import { thumbnailsOf } from './thumbnails.ts';

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
    {
      query: MediaLink,
      detail: operation('Jobs', 'getMedia', 'A file of a job, by a link that lasts ten minutes', {
        access: 'open',
        media: ['*/*'],
      }),
    },
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
      if (!ticket) throw botCheckFailed('The bot check is missing, please try again');
      using place = uploads.open(request);
      await perSource.consume(hashSource(contextOf(request).ip, deps.config.keys.botCheck));
      const media = await withUploadTicket(deps, ticket, async () => {
        const bytes = await readUpload(request, upload, place);
        return storeMedia(deps, {
          ...{ businessId: found.businessId, bytes, name: query.name },
          turn: turnOf(deps, request),
        });
      });
      return ok({ media });
    },
    {
      query: UploadedFile,
      detail: operation('Intake', 'uploadMedia', 'Stores a file for a request', {
        access: 'open',
        headers: ['x-bot-check'],
      }),
    },
  );
}

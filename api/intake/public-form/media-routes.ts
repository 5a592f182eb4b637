import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { readUpload } from '#api/http/body/body.ts';
import type { Uploads } from '#api/http/body/uploads.ts';
import { ok } from '#api/http/envelope.ts';
import { httpErrorFor } from '#api/http/errors.ts';
import { badRequest, notFound } from '#api/http/http-errors.ts';
import { contextOf } from '#api/http/request-context.ts';
import { returnUpload, spendUpload } from '#api/intake/bot-check/tickets.ts';
import { storeMedia } from '#api/intake/files/media.ts';
import { mediaUpload } from '#core/values/uploads.ts';
import { findForm } from './find-form.ts';
import { hashSource } from './intake-limits.ts';
import { uploadLimiter } from './upload-limit.ts';

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
    async ({ params, request }) => {
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
        return ok({ media: await storeMedia(deps, { businessId, bytes, name: nameOf(request) }) });
      } catch (error) {
        // Should this fail too, a new ticket is a second's work.
        if (OURS.includes(httpErrorFor(error).status)) await returnUpload(deps.db, ticket).catch(() => {});
        throw error;
      }
    },
  );
}

/** Read by ourselves: the framework takes a comma in a query for a list. */
function nameOf({ url }: Request): string {
  return new URL(url).searchParams.get('name') ?? '';
}

import { type } from 'arktype';
import { Elysia } from 'elysia';
import { createOwnerCheck } from '#api/accounts/credentials.ts';
import type { Deps } from '#api/deps.ts';
import { notFound, ok } from '#api/http/answers.ts';
import { auth } from '#api/http/auth.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { onlyLooks } from '#api/http/only-looks.ts';
import { operation } from '#api/http/openapi/operation.ts';
import { contextOf } from '#api/http/request-context.ts';
import { beginDownload, isUnspent, mintExportToken, spendExportToken, whats } from './downloads.ts';

const Asked = type({ '+': 'reject', currentPassword: 'string <= 1000', 'what?': type.enumerated(...whats) });

/** So many downloads a day: a stolen session needs the password, and no more than these are lost. */
const A_DAY = { points: 3, seconds: 24 * 60 * 60 };

/** POST /settings/export { currentPassword, what } → { url } · GET /settings/export/{token}: a ZIP, once. */
export function exportRoutes(deps: Deps) {
  const checkOwner = createOwnerCheck(deps);
  const limiters = {
    everything: sharedLimiter(
      deps,
      { name: 'export', ...A_DAY },
      'Everything can be downloaded three times a day',
    ),
    account: sharedLimiter(
      deps,
      { name: 'export-account', ...A_DAY },
      'Your data can be downloaded three times a day',
    ),
  };
  return new Elysia({ name: 'export', prefix: '/settings/export' })
    .use(auth(deps))
    .post(
      '',
      async ({ session, body, request }) => {
        const { currentPassword, what = 'everything' } = body;
        await checkOwner(session, currentPassword, request);
        await limiters[what].consume(what === 'everything' ? session.businessId : session.accountId);
        return ok({ url: `/api/settings/export/${mintExportToken(deps, session, what)}` });
      },
      {
        signedIn: true,
        body: Asked,
        detail: operation(
          'Business',
          'exportBusiness',
          'Makes the link to a download of everything: good once, for a minute, three times a day',
          { description },
        ),
      },
    )
    .get(
      '/:token',
      async ({ params, request }) => {
        if (onlyLooks(request)) {
          // It is made as it is read, so there is no part of it to be had.
          if (request.headers.has('range') || !(await isUnspent(deps, params.token))) throw notFound();
          return new Response(null, { headers: ofArchive });
        }
        const spent = await spendExportToken(deps, params.token);
        if (!spent) throw notFound();
        const { archive, fileName } = await beginDownload(deps, spent, contextOf(request).id);
        return new Response(archive, {
          headers: { ...ofArchive, 'content-disposition': `attachment; filename="${fileName}"` },
        });
      },
      {
        detail: operation(
          'Business',
          'getExport',
          'Everything that the business has stored, as a ZIP; its owner is notified by mail',
          { access: 'open', media: ['application/zip'] },
        ),
      },
    );
}

const ofArchive = {
  'content-type': 'application/zip',
  'cache-control': 'no-store',
  'accept-ranges': 'none',
};

const description =
  'Answers `url`: a ZIP, once, within a minute, while the session lives. `what` is `everything` of the business (as without it), or what is stored about the `account` of the person who is signed in. Each three times a day.';

import { type } from 'arktype';
import { Elysia } from 'elysia';
import { createOwnerCheck } from '#api/accounts/sign-in/owner-check.ts';
import { changeBusiness } from '#api/businesses/change-business.ts';
import type { Deps, Session } from '#api/deps.ts';
import { auth } from '#api/http/auth.ts';
import { ok } from '#api/http/envelope.ts';
import { notFound } from '#api/http/http-errors.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { contextOf } from '#api/http/request-context.ts';
import { queueMessage } from '#api/messages/outbox/outbox.ts';
import { getProfile } from '#projections/accounts/read.ts';
import { exportArchive } from './contents.ts';
import { mintExportToken, spendExportToken } from './export-link.ts';

const Asked = type({ '+': 'reject', currentPassword: 'string <= 1000' });

/** So many downloads a day and business: a stolen session needs the password, and no more than these are lost. */
const DOWNLOADS = { name: 'export', points: 3, seconds: 24 * 60 * 60 };

/** POST /settings/export { currentPassword } → { url } · GET /settings/export/{token}: a ZIP, once. */
export function exportRoutes(deps: Deps) {
  const checkOwner = createOwnerCheck(deps);
  const limiter = sharedLimiter(deps, DOWNLOADS, 'Everything can be downloaded three times a day');
  return new Elysia({ name: 'export', prefix: '/settings/export' })
    .use(auth(deps))
    .post(
      '',
      async ({ session, body, request }) => {
        await checkOwner(session, body.currentPassword, request);
        await limiter.consume(session.businessId);
        return ok({ url: `/api/settings/export/${mintExportToken(deps, session)}` });
      },
      { signedIn: true, body: Asked },
    )
    .get('/:token', async ({ params, request }) => {
      const session = await spendExportToken(deps, params.token);
      if (!session) throw notFound();
      return download(deps, session, contextOf(request).id);
    });
}

/** On record, and its owner notified, before the first byte of it is made. */
async function download(deps: Deps, session: Session, correlation: string): Promise<Response> {
  const { accountId, businessId } = session;
  const profile = await getProfile(deps.db, accountId);
  if (!profile) throw notFound();
  const [at, from] = [deps.now(), await deps.store.head()];
  const command = {
    type: 'ExportBusiness',
    at: at.toISOString(),
    data: { businessId, accountId, position: from },
  } as const;
  await changeBusiness(deps, session, [command], { at: at.toISOString(), correlation });
  await queueMessage(deps.db, { id: deps.newId(), kind: 'data-exported', data: { accountId } }, at);
  deps.messages?.notify();
  deps.logger.info({ event: 'business-exported', business: businessId });
  const day = at.toTemporalInstant().toZonedDateTimeISO(profile.timeZone).toPlainDate();
  return new Response(exportArchive(deps, { ...session, timeZone: profile.timeZone, from }), {
    headers: {
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="ute-${day}.zip"`,
      'cache-control': 'no-store',
    },
  });
}

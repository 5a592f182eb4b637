import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { type } from 'arktype';
import { Elysia } from 'elysia';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { createOwnerCheck } from '#api/accounts/sign-in/credentials.ts';
import { changeBusiness } from '#api/businesses/change-business.ts';
import type { Deps, Session } from '#api/deps.ts';
import { notFound, ok } from '#api/http/answers.ts';
import { auth } from '#api/http/auth.ts';
import { postgresCounter, sharedLimiter } from '#api/http/limits.ts';
import { contextOf } from '#api/http/request-context.ts';
import { queueMessage } from '#api/messages/outbox/outbox.ts';
import { getProfile } from '#projections/accounts/read.ts';
import { accountArchive, exportArchive } from './contents.ts';

/** How long a link waits to be opened, in seconds. */
const LIFE = 60;

/** `everything` of the business, or what is stored about the `account` of the person who signs in. */
const whats = ['everything', 'account'] as const;
type What = (typeof whats)[number];

const Claims = type(['string', 'string', 'string', 'number.integer', type.enumerated(...whats)]);

/**
 * The token of a link to a download: names the session that asked for it, and the moment at which it is over. A browser that
 * opens a link sends no session with it.
 */
export function mintExportToken(
  { config, newId, now }: Pick<Deps, 'config' | 'newId' | 'now'>,
  { id, accountId }: Pick<Session, 'id' | 'accountId'>,
  what: What = 'everything',
): string {
  const expires = Math.floor(now().getTime() / 1000) + LIFE;
  const claims = Buffer.from(JSON.stringify([newId(), accountId, id, expires, what])).toString('base64url');
  return `${claims}.${signatureOf(config, claims).toString('base64url')}`;
}

/** The living session that a token was made in, the first time that it is asked for within a minute; else null. */
async function spendExportToken(
  deps: Pick<Deps, 'config' | 'db' | 'now' | 'findSession'>,
  token: string,
): Promise<Readonly<{ session: Session; what: What }> | null> {
  const [claims = '', given = ''] = token.split('.');
  const right = signatureOf(deps.config, claims);
  const signature = Buffer.from(given, 'base64url');
  if (signature.length !== right.length || !timingSafeEqual(signature, right)) return null;
  const [id, accountId, sessionId, expires, what] = Claims.assert(
    JSON.parse(Buffer.from(claims, 'base64url').toString()),
  );
  const now = deps.now();
  if (expires * 1000 <= now.getTime() || !(await isFirst(deps, id))) return null;
  const session = await deps.findSession(deps.db, { accountId, sessionId }, now);
  return session && { session, what };
}

/** Counted in the database, as the next request may come to another process. */
async function isFirst(deps: Pick<Deps, 'db'>, id: string): Promise<boolean> {
  try {
    await postgresCounter(deps, { name: 'export-link', points: 1, seconds: 2 * LIFE }).consume(id);
    return true;
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return false;
    throw refusal;
  }
}

function signatureOf({ keys }: Deps['config'], claims: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', keys.token, '', 'links to exports', 32));
  return createHmac('sha256', key).update(claims).digest();
}

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
      { signedIn: true, body: Asked, detail: { summary, description } },
    )
    .get('/:token', async ({ params, request }) => {
      const spent = await spendExportToken(deps, params.token);
      if (!spent) throw notFound();
      return download(deps, spent, contextOf(request).id);
    });
}

const summary = 'Makes a link to a download';
const description =
  'Answers `url`: a ZIP, once, within a minute, while the session lives. `what` is `everything` of the business (as without it), or what is stored about the `account` of the person who is signed in. Each three times a day.';

/** On record, and its owner notified, before the first byte of it is made. */
async function download(
  deps: Deps,
  { session, what }: Readonly<{ session: Session; what: What }>,
  correlation: string,
): Promise<Response> {
  const { accountId, businessId } = session;
  const profile = await getProfile(deps.db, accountId);
  if (!profile) throw notFound();
  const [at, from] = [deps.now(), await deps.store.head()];
  if (what === 'everything') {
    const data = { businessId, accountId, position: from };
    const command = { type: 'ExportBusiness', at: at.toISOString(), data } as const;
    await changeBusiness(deps, session, [command], { at: at.toISOString(), correlation });
  }
  await queueMessage(deps.db, { id: deps.newId(), kind: 'data-exported', data: { accountId, what } }, at);
  deps.messages?.notify();
  deps.logger.info({
    event: what === 'everything' ? 'business-exported' : 'account-exported',
    business: businessId,
  });
  const day = at.toTemporalInstant().toZonedDateTimeISO(profile.timeZone).toPlainDate();
  const whose = { ...session, timeZone: profile.timeZone, from };
  const archive = what === 'everything' ? exportArchive(deps, whose) : accountArchive(deps, whose);
  return new Response(archive, {
    headers: {
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="ute-${what === 'everything' ? '' : 'account-'}${day}.zip"`,
      'cache-control': 'no-store',
    },
  });
}

import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { type } from 'arktype';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { changeBusiness } from '#api/businesses/change-business.ts';
import type { Deps, Session } from '#api/deps.ts';
import { notFound } from '#api/http/answers.ts';
import { postgresCounter } from '#api/http/limits.ts';
import { queueMessage } from '#api/outbox/queue.ts';
import { getProfile } from '#projections/accounts/read.ts';
import { accountArchive, type ExportDeps, exportArchive } from './contents.ts';

/** How long a link waits to be opened, in seconds. */
const LIFE = 60;

/** `everything` of the business, or what is stored about the `account` of the person who signs in. */
export const whats = ['everything', 'account'] as const;
export type What = (typeof whats)[number];

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

/** Who asked for a download, and of what. */
type Asked = Readonly<{ session: Session; what: What }>;

/** The living session that a token was made in, the first time that it is asked for within a minute; else null. */
export async function spendExportToken(
  deps: Pick<Deps, 'config' | 'db' | 'now' | 'findSession'>,
  token: string,
): Promise<Asked | null> {
  const claims = readExportToken(deps, token);
  if (!claims || !(await isFirst(deps, claims.id))) return null;
  const { accountId, sessionId, what } = claims;
  const session = await deps.findSession(deps.db, { accountId, sessionId }, deps.now());
  return session && { session, what };
}

/** Whether a token would open its download now. Spends nothing. */
export async function isUnspent(deps: Pick<Deps, 'config' | 'db' | 'now'>, token: string): Promise<boolean> {
  const claims = readExportToken(deps, token);
  return claims !== null && (await uses(deps).get(claims.id)) === null;
}

/** What a token of ours says that is not over; null for any other. */
function readExportToken(deps: Pick<Deps, 'config' | 'now'>, token: string) {
  const [claims = '', given = ''] = token.split('.');
  const right = signatureOf(deps.config, claims);
  const signature = Buffer.from(given, 'base64url');
  if (signature.length !== right.length || !timingSafeEqual(signature, right)) return null;
  const [id, accountId, sessionId, expires, what] = Claims.assert(
    JSON.parse(Buffer.from(claims, 'base64url').toString()),
  );
  return expires * 1000 <= deps.now().getTime() ? null : { id, accountId, sessionId, what };
}

const uses = (deps: Pick<Deps, 'db'>) =>
  postgresCounter(deps, { name: 'export-link', points: 1, seconds: 2 * LIFE });

/** Counted in the database, as the next request may come to another process. */
async function isFirst(deps: Pick<Deps, 'db'>, id: string): Promise<boolean> {
  try {
    await uses(deps).consume(id);
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

type DownloadDeps = ExportDeps & Pick<Deps, 'db' | 'newId' | 'messages' | 'logger'>;

/**
 * A ZIP and the name that it has, made while it is read: the download is on record, and its owner notified, before the first
 * byte of it is made. Throws 404 for an account that is gone.
 */
export async function beginDownload(
  deps: DownloadDeps,
  { session, what }: Asked,
  correlation: string,
): Promise<Readonly<{ archive: ReadableStream<Uint8Array>; fileName: string }>> {
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
  const { timeZone, region } = profile;
  const whose = { ...session, timeZone, region, from };
  return what === 'everything'
    ? { archive: exportArchive(deps, whose), fileName: `ute-${day}.zip` }
    : { archive: accountArchive(deps, whose), fileName: `ute-account-${day}.zip` };
}

import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { type } from 'arktype';
import { RateLimiterRes } from 'rate-limiter-flexible';
import type { Deps } from '#api/deps.ts';
import { postgresCounter } from '#api/http/limits.ts';
import type { Session } from '#api/http/request-context.ts';

/** How long a link waits to be opened, in seconds. */
const LIFE = 60;

const Claims = type(['string', 'string', 'string', 'number.integer']);

/**
 * The token of a link to a download: names the session that asked for it, and the moment at which it is over. A browser that
 * opens a link sends no session with it.
 */
export function mintExportToken(
  { config, newId, now }: Pick<Deps, 'config' | 'newId' | 'now'>,
  { id, accountId }: Pick<Session, 'id' | 'accountId'>,
): string {
  const expires = Math.floor(now().getTime() / 1000) + LIFE;
  const claims = Buffer.from(JSON.stringify([newId(), accountId, id, expires])).toString('base64url');
  return `${claims}.${signatureOf(config, claims).toString('base64url')}`;
}

/** The living session that a token was made in, the first time that it is asked for within a minute; else null. */
export async function spendExportToken(
  deps: Pick<Deps, 'config' | 'db' | 'now' | 'findSession'>,
  token: string,
): Promise<Session | null> {
  const [claims = '', given = ''] = token.split('.');
  const right = signatureOf(deps.config, claims);
  const signature = Buffer.from(given, 'base64url');
  if (signature.length !== right.length || !timingSafeEqual(signature, right)) return null;
  const [id, accountId, sessionId, expires] = Claims.assert(
    JSON.parse(Buffer.from(claims, 'base64url').toString()),
  );
  const now = deps.now();
  if (expires * 1000 <= now.getTime() || !(await isFirst(deps, id))) return null;
  return deps.findSession(deps.db, { accountId, sessionId }, now);
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

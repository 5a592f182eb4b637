import { randomBytes } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { forgetting } from '#api/http/forget-expired.ts';
import type { Session } from '#api/http/request-context.ts';
import { plannedOnce } from '#core/postgres/statement.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Lifetimes of a session in milliseconds: remembered, or for the day. */
const sessionLife = {
  remembered: 30 * DAY,
  rememberedIdle: 7 * DAY,
  short: 12 * 60 * MINUTE,
} as const;

export type OpenSession = Readonly<{
  id: string;
  device: string;
  remember: boolean;
  createdAt: string;
  lastSeenAt: string;
}>;

type Opening = Readonly<{
  accountId: string;
  businessId: string;
  remember: boolean;
  device: string;
  /** When the password that was just given was set. */
  passwordSetAt: Date;
}>;

/**
 * A session's id is 256 random bits; `expiresAt` is its absolute end. Null when the password was changed meanwhile: the
 * change and this wait for each other, so that no session of the old password outlives it.
 */
export async function openSession(
  db: Pool,
  { accountId, businessId, remember, device, passwordSetAt }: Opening,
  now: Date,
): Promise<{ id: string; expiresAt: Date } | null> {
  const id = randomBytes(32).toString('base64url');
  const expiresAt = new Date(now.getTime() + (remember ? sessionLife.remembered : sessionLife.short));
  const { rowCount } = await db.query(
    plannedOnce(
      `with ${forgetting('state.sessions', '$6')}
       insert into state.sessions (id, account_id, business_id, remember, device, created_at, last_seen_at, expires_at)
       select $1, account_id, $3::uuid, $4::boolean, $5, $6::timestamptz, $6, $7::timestamptz from state.credentials
       where account_id = $2 and changed_at = $8 for share`,
      [id, accountId, businessId, remember, device, now, expiresAt, passwordSetAt],
    ),
  );
  return rowCount === 1 ? { id, expiresAt } : null;
}

const ALIVE = `revoked_at is null and expires_at > $2
  and (not remember or last_seen_at > $2::timestamptz - interval '${sessionLife.rememberedIdle} milliseconds')`;

/** The session, if it is alive at `now`; being asked for keeps it from going idle. */
export async function findSession(
  db: Pool,
  { sessionId, accountId }: { sessionId: string; accountId: string },
  now: Date,
): Promise<Session | null> {
  const { rows } = await db.query<{ business_id: string; last_seen_at: Date }>(
    plannedOnce(
      `select business_id, last_seen_at from state.sessions where id = $1 and account_id = $3 and ${ALIVE}`,
      [sessionId, now, accountId],
    ),
  );
  const row = rows[0];
  if (!row) return null;
  if (now.getTime() - row.last_seen_at.getTime() > 5 * MINUTE) {
    await db.query('update state.sessions set last_seen_at = $2 where id = $1', [sessionId, now]);
  }
  return { id: sessionId, accountId, businessId: row.business_id };
}

/** Which of these sessions are alive, without keeping them from going idle. */
export async function aliveAmong(db: Pool, ids: readonly string[], now: Date): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>(
    plannedOnce(`select id from state.sessions where id = any($1) and ${ALIVE}`, [ids, now]),
  );
  return new Set(rows.map(({ id }) => id));
}

/** Living sessions of an account, newest first. */
export async function listSessions(db: Pool, accountId: string, now: Date): Promise<OpenSession[]> {
  const { rows } = await db.query<{
    id: string;
    device: string;
    remember: boolean;
    created_at: Date;
    last_seen_at: Date;
  }>(
    `select id, device, remember, created_at, last_seen_at from state.sessions
     where account_id = $1 and ${ALIVE} order by created_at desc limit 100`,
    [accountId, now],
  );
  return rows.map((row) => ({
    id: row.id,
    device: row.device,
    remember: row.remember,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
  }));
}

/** Ends one session of an account. False when it was not there or already over. */
export async function revokeSession(
  db: Pool,
  { sessionId, accountId }: { sessionId: string; accountId: string },
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    'update state.sessions set revoked_at = $2 where id = $1 and account_id = $3 and revoked_at is null',
    [sessionId, now, accountId],
  );
  return rowCount === 1;
}

/** Ends every session of an account but, perhaps, one; answers how many. */
export async function revokeSessions(
  db: Pool | PoolClient,
  accountId: string,
  now: Date,
  except = '',
): Promise<number> {
  const { rowCount } = await db.query(
    'update state.sessions set revoked_at = $2 where account_id = $1 and id <> $3 and revoked_at is null',
    [accountId, now, except],
  );
  return rowCount ?? 0;
}

const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'Mac'],
  ['Linux', 'Linux'],
] as const;

/** What a session's owner knows a browser by ("Firefox on Windows"): our own words, nothing that the client wrote. */
export function deviceOf(headers: Headers): string {
  const agent = headers.get('user-agent') ?? '';
  const browser = BROWSERS.find(([mark]) => agent.includes(mark))?.[1] ?? 'A browser';
  const system = SYSTEMS.find(([mark]) => agent.includes(mark))?.[1];
  return system ? `${browser} on ${system}` : browser;
}

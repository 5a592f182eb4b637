import { createHash, randomBytes } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { forgetExpired } from '#api/http/forget-expired.ts';
import type { BotCheckScope } from '#api/providers/bot-check/bot-check.ts';

const LIFETIME_MS = 30 * 60_000;
const POSTS = 1;
const UPLOADS = 5;

type Verified = Readonly<{ id: string; expiresAt: Date }>;

/**
 * Trades a solved challenge for a ticket: one scope, 30 minutes, five uploads and one post.
 * Answers null when the challenge was traded before: of two tries at once exactly one gets the ticket.
 */
export async function issueTicket(
  db: Pool,
  scope: BotCheckScope,
  solved: Verified,
  now: Date,
): Promise<string | null> {
  const ticket = randomBytes(32).toString('base64url');
  const { rowCount } = await db.query(
    `with spent as (
       insert into state.bot_check_spent (challenge, expires_at) values ($1, $2)
       on conflict do nothing returning challenge)
     insert into state.bot_check_tickets (ticket_hash, scope, posts_left, media_left, expires_at)
     select $3, $4, $5, $6, $7 from spent`,
    [solved.id, solved.expiresAt, hash(ticket), scope, POSTS, UPLOADS, new Date(now.getTime() + LIFETIME_MS)],
  );
  await forgetExpired(db, 'state.bot_check_spent', now);
  await forgetExpired(db, 'state.bot_check_tickets', now);
  return rowCount === 1 ? ticket : null;
}

/**
 * Spends the ticket's one post; false when it is unknown, spent, expired or for another scope.
 * Runs in the caller's transaction, so that a post which is refused keeps its ticket.
 */
export async function spendTicket(
  db: PoolClient,
  ticket: string,
  scope: BotCheckScope,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update state.bot_check_tickets set posts_left = posts_left - 1
     where ticket_hash = $1 and scope = $2 and expires_at > $3 and posts_left > 0`,
    [hash(ticket), scope, now],
  );
  return rowCount === 1;
}

function hash(ticket: string): string {
  return createHash('sha256').update(ticket).digest('hex');
}

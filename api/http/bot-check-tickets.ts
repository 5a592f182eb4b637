import { createHash, randomBytes } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { forgetting } from '#api/http/forget-expired.ts';
import type { BotCheckScope } from '#api/providers/bot-check.ts';
import { plannedOnce } from '#core/postgres/statement.ts';

const LIFETIME_MS = 30 * 60_000;
const POSTS = 1;
const UPLOADS = 5;

type Verified = Readonly<{
  id: string;
  price: number;
  begunAt: Date;
  expiresAt: Date;
  /** False: it could not be checked, because the provider was unavailable. */
  checked: boolean;
}>;

/** What a spent ticket says of the bot check behind it: `price` is how many times the plain work was done. */
export type SpentTicket = Readonly<{ checked: boolean; begunAt: Date; price: number }>;

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
    plannedOnce(
      `with ${forgetting('state.bot_check_spent', '$11', 'challenge = $1')},
         ${forgetting('state.bot_check_tickets', '$11')},
         spent as (
           insert into state.bot_check_spent (challenge, expires_at) values ($1, $2)
           on conflict do nothing returning challenge)
       insert into state.bot_check_tickets (ticket_hash, scope, posts_left, media_left, expires_at, checked, begun_at,
         price)
       select $3, $4, $5, $6, $7, $8, $9, $10 from spent`,
      [
        ...[solved.id, solved.expiresAt, hash(ticket), scope, POSTS, UPLOADS],
        ...[new Date(now.getTime() + LIFETIME_MS), solved.checked, solved.begunAt, solved.price, now],
      ],
    ),
  );
  return rowCount === 1 ? ticket : null;
}

/**
 * Spends the ticket's one post; null when it is unknown, spent, expired or for another scope.
 * Runs in the caller's transaction, so that a post which is refused keeps its ticket.
 */
export async function spendTicket(
  db: Pool | PoolClient,
  ticket: string,
  scope: BotCheckScope,
  now: Date,
): Promise<SpentTicket | null> {
  const { rows } = await db.query<SpentTicket>(
    plannedOnce(
      `update state.bot_check_tickets set posts_left = posts_left - 1
       where ticket_hash = $1 and scope = $2 and expires_at > $3 and posts_left > 0
       returning checked, begun_at as "begunAt", price`,
      [hash(ticket), scope, now],
    ),
  );
  return rows[0] ?? null;
}

/** Whether a post with this ticket was never counted before; then it is now. Of posts at once one is the first. */
export async function isFirstUse(db: Pool, ticket: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'update state.bot_check_tickets set counted = true where ticket_hash = $1 and not counted',
    [hash(ticket)],
  );
  return rowCount === 1;
}

/** Spends one of the ticket's uploads; false when it has none left, is unknown, expired or for another scope. */
export async function spendUpload(
  db: Pool,
  ticket: string,
  scope: BotCheckScope,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update state.bot_check_tickets set media_left = media_left - 1
     where ticket_hash = $1 and scope = $2 and expires_at > $3 and media_left > 0`,
    [hash(ticket), scope, now],
  );
  return rowCount === 1;
}

/** Gives back an upload that came to nothing, and not because of the file. */
export async function returnUpload(db: Pool, ticket: string): Promise<void> {
  await db.query('update state.bot_check_tickets set media_left = media_left + 1 where ticket_hash = $1', [
    hash(ticket),
  ]);
}

function hash(ticket: string): string {
  return createHash('sha256').update(ticket).digest('hex');
}

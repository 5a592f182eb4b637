import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { forgetting } from '#api/http/forget-expired.ts';
import type { JobDetails } from '#core/job/view.ts';
import { presented } from '#core/job/withheld-fields.ts';
import { plannedOnce } from '#core/postgres/statement.ts';
import { suburbOf, withoutContact } from '#core/values/contact-in-text.ts';
import { answerLinkDays } from '#core/values/product.ts';
import { instantWords } from '#core/values/time.ts';

const DAY = 24 * 60 * 60_000;
/** How long each kind of link opens its job, in milliseconds. */
const linkLife = { answer: answerLinkDays * DAY, 'not-needed': 30 * DAY, privacy: 366 * DAY } as const;

export type LinkKind = keyof typeof linkLife;

/** The links that customers have: for a year after they ended they still lead to the business. */
export type CustomerLinkKind = Exclude<LinkKind, 'answer'>;
const keptAfterEnd = 366 * DAY;

/** What a link is bound to. `accountId` is in whose name it answers; null for the customer's. */
export type LinkTarget = Readonly<{
  kind: LinkKind;
  jobId: string;
  businessId: string;
  accountId: string | null;
}>;

export type Link = LinkTarget & Readonly<{ hash: Buffer; expiresAt: Date }>;

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Lets a token (256 bits, base64url) open its job until the link expires. The same token again changes nothing. */
export async function storeLink(db: Pool, token: string, target: LinkTarget, now: Date): Promise<void> {
  const { kind, jobId, businessId, accountId } = target;
  const opensUntil = new Date(now.getTime() + linkLife[kind]);
  const expiresAt = kind === 'answer' ? opensUntil : new Date(opensUntil.getTime() + keptAfterEnd);
  await db.query(
    plannedOnce(
      `with ${forgetting('state.answer_links', '$8')}
       insert into state.answer_links (token_hash, kind, job_id, business_id, account_id, opens_until, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict (token_hash) do nothing`,
      [hashOf(token), kind, jobId, businessId, accountId, opensUntil, expiresAt, now],
    ),
  );
}

/** The link that a token opens; null for one that is unknown, malformed, of another kind or ended: all look the same. */
export async function findLink(db: Pool, kind: LinkKind, token: string, now: Date): Promise<Link | null> {
  if (!TOKEN.test(token)) return null;
  const { rows } = await db.query<Link>(
    `select token_hash as hash, kind, job_id as "jobId", business_id as "businessId", account_id as "accountId",
       coalesce(opens_until, expires_at) as "expiresAt"
     from state.answer_links
     where token_hash = $1 and kind = $2 and coalesce(opens_until, expires_at) > $3 and job_id is not null`,
    [hashOf(token), kind, now],
  );
  return rows[0] ?? null;
}

/** Whose link it was, for a customer's link that has ended, by time or with its customer, and is not forgotten; null for every other token. */
export async function businessOfEndedLink(
  db: Pool,
  kind: CustomerLinkKind,
  token: string,
  now: Date,
): Promise<string | null> {
  if (!TOKEN.test(token)) return null;
  const { rows } = await db.query<{ businessId: string }>(
    `select business_id as "businessId" from state.answer_links
     where token_hash = $1 and kind = $2 and (opens_until <= $3 or job_id is null) and expires_at > $3`,
    [hashOf(token), kind, now],
  );
  return rows[0]?.businessId ?? null;
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** What a message may say of a job that waits: nothing by which its customer could be reached. */
export type JobSummary = Readonly<{
  title: string;
  /** Null where the address does not say it for sure. */
  suburb: string | null;
  /** The wished time in the customer's words, or when it is scheduled; null when neither is known. */
  when: string | null;
}>;

/** The summary of a job; times on the clocks of `timeZone` (IANA). */
export function jobSummary(job: JobDetails, timeZone: string): JobSummary {
  const { title, scheduledAt, wishedTime, location } = presented(job);
  return {
    title: withoutContact(title),
    suburb: suburbOf(location.address),
    when: scheduledAt === null ? withoutContact(wishedTime) || null : instantWords(scheduledAt, timeZone),
  };
}

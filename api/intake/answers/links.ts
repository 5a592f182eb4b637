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
/** How long each kind of link works, in milliseconds. */
const linkLife = { answer: answerLinkDays * DAY, 'not-needed': 30 * DAY, privacy: 366 * DAY } as const;

export type LinkKind = keyof typeof linkLife;

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
  const expiresAt = new Date(now.getTime() + linkLife[kind]);
  await db.query(
    plannedOnce(
      `with ${forgetting('state.answer_links', '$7')}
       insert into state.answer_links (token_hash, kind, job_id, business_id, account_id, expires_at)
       values ($1, $2, $3, $4, $5, $6) on conflict (token_hash) do nothing`,
      [hashOf(token), kind, jobId, businessId, accountId, expiresAt, now],
    ),
  );
}

/** The link that a token opens; null for one that is unknown, malformed, of another kind or expired: all look the same. */
export async function findLink(db: Pool, kind: LinkKind, token: string, now: Date): Promise<Link | null> {
  if (!TOKEN.test(token)) return null;
  const { rows } = await db.query<Link>(
    `select token_hash as hash, kind, job_id as "jobId", business_id as "businessId", account_id as "accountId",
       expires_at as "expiresAt"
     from state.answer_links where token_hash = $1 and kind = $2 and expires_at > $3`,
    [hashOf(token), kind, now],
  );
  return rows[0] ?? null;
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

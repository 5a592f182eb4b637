import { createHmac } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { reservationKey } from '#api/accounts/reservations.ts';
import type { Clock, Database, Deps } from '#api/deps.ts';
import { tooManyRequests } from '#api/http/answers.ts';
import { addressPrefix, hashSource } from '#api/http/client-address.ts';
import { forgetExpired } from '#api/http/forget-expired.ts';
import type { GaugeDeclaration } from '#api/http/health/metrics.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { lockUntilCommit } from '#core/postgres/locks.ts';
import { inTransaction } from '#core/postgres/transaction.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Seconds before a mobile may be sent another code. */
export const resendAfter = 60;

/** A message with a code that is to go out. Number and source as `hashOf` names them. */
export type CodeMessage = Readonly<{ messageId: string; numberHash: string; sourceHash: string }>;

/** Which of the limits is used up: `all` is the most that the product sends in an hour. */
export type SpentLimit = 'number' | 'source' | 'all';

/** Why a code is not sent, in the words for the person who asked for it. */
export const codeRefusals: Readonly<Record<SpentLimit, string>> = {
  number: 'We have just sent a code to this number. Please wait a while before you ask for another',
  source: 'Too many codes were asked for from here. Please try again in an hour',
  all: 'We cannot send codes just now. Please try again in an hour',
};

/** `perHour`: how many codes in an hour are usual, at most. `paid`: the price of a bot check that came along, 0 without one. */
export type CodeRate = Readonly<{ perHour: number; paid: number; isSignedIn: boolean }>;

/** What a code costs from these parts of the usual rate on: a bot check, of one to four times the plain work. */
const STEPS = [0.5, 1, 2, 4];
/** So many times the usual rate is the most; for signed-in accounts once the usual rate more is in reserve. */
const MOST = 10;

/** The price of the bot check that a code costs after so many in the last hour; 0: none is asked for. */
function codePrice(sent: number, perHour: number): number {
  return STEPS.filter((step) => sent >= step * perHour).length;
}

export type CodeAcceptance =
  | Readonly<{ accepted: true }>
  | Readonly<{ accepted: false; spent: SpentLimit; retryAfterSeconds: number }>
  | Readonly<{ accepted: false; spent: null; price: number }>;

/** A number or a neighbourhood as the budget knows it, not to be read back. */
export function hashOf(what: 'number' | 'source', value: string, secret: Buffer): string {
  const counted = what === 'source' ? addressPrefix(value) : value;
  return createHmac('sha256', secret).update(`code ${what} ${counted}`).digest('hex');
}

/**
 * Counts a message with a code, unless its number (one a minute, 3 an hour, 5 a day), its neighbourhood (10 an hour) or
 * all clients together (ten times the usual rate) had enough: an SMS costs money, and fraud earns on it. Before that the
 * price rises: without a bot check of that price a code is not accepted either. Signed-in accounts pay none, and have a
 * reserve. Exact for requests at once. Runs in the caller's transaction.
 */
export async function acceptCode(
  db: PoolClient,
  { messageId, numberHash, sourceHash }: CodeMessage,
  { perHour, paid, isSignedIn }: CodeRate,
  now: Date,
): Promise<CodeAcceptance> {
  const windows = [
    {
      spent: 'all',
      column: null,
      value: '',
      span: HOUR,
      limit: (MOST + (isSignedIn ? 1 : 0)) * perHour,
    },
    { spent: 'source', column: 'source_hash', value: sourceHash, span: HOUR, limit: 10 },
    { spent: 'number', column: 'number_hash', value: numberHash, span: resendAfter * 1_000, limit: 1 },
    { spent: 'number', column: 'number_hash', value: numberHash, span: HOUR, limit: 3 },
    { spent: 'number', column: 'number_hash', value: numberHash, span: DAY, limit: 5 },
  ] as const;
  // One lock for all: an accepted code must be counted before the next one is asked for, and there are few of them.
  await lockUntilCommit(db, 'code budget');
  for (const { spent, column, value, span, limit } of windows) {
    // The limit-th newest message is the one that has to leave the window before another may go out.
    const { rows } = await db.query<{ sent_at: Date }>(
      `select sent_at from state.code_messages where sent_at > $1 and ${column === null ? '$2 = $2' : `${column} = $2`}
       order by sent_at desc offset $3 limit 1`,
      [new Date(now.getTime() - span), value, limit - 1],
    );
    const blocking = rows[0];
    if (blocking) {
      const wait = blocking.sent_at.getTime() + span - now.getTime();
      return { accepted: false, spent, retryAfterSeconds: Math.max(1, Math.ceil(wait / 1_000)) };
    }
  }
  const price = isSignedIn ? 0 : codePrice(await sentInHour(db, now), perHour);
  if (paid < price) return { accepted: false, spent: null, price };
  await db.query(
    `insert into state.code_messages (message_id, number_hash, source_hash, sent_at, expires_at)
     values ($1, $2, $3, $4, $5)`,
    [messageId, numberHash, sourceHash, now, new Date(now.getTime() + DAY)],
  );
  await forgetExpired(db, 'state.code_messages', now);
  return { accepted: true };
}

async function sentInHour(db: PoolClient, now: Date): Promise<number> {
  const { rows } = await db.query<{ sent: number }>(
    'select count(*)::integer as sent from state.code_messages where sent_at > $1',
    [new Date(now.getTime() - HOUR)],
  );
  return rows[0]?.sent ?? 0;
}

/** The code of a message came back: the mobile is in use. */
export async function countVerified(db: Pool | PoolClient, messageId: string, now: Date): Promise<void> {
  await db.query('update state.code_messages set verified_at = $2 where message_id = $1', [messageId, now]);
}

/** Codes by SMS, for the metrics. Many sent and few come back is a sign of SMS fraud. */
export function codeGauges({
  config,
  db,
  now,
}: Clock & Pick<Database, 'db'> & Pick<Deps, 'config'>): GaugeDeclaration[] {
  return [
    {
      name: 'ute_codes_last_hour',
      help: 'Codes by SMS of the last hour: sent, and come back',
      labelNames: ['what'],
      async read() {
        const { sent, verified } = await codeFigures(db, now());
        return [
          { value: sent, labels: { what: 'sent' } },
          { value: verified, labels: { what: 'verified' } },
        ];
      },
    },
    {
      name: 'ute_code_price',
      help: 'Price of the bot check that a code by SMS costs a registration now, 0 without one',
      async read() {
        const { sent } = await codeFigures(db, now());
        return [{ value: codePrice(sent, config.codesPerHour) }];
      },
    },
  ];
}

/** Codes of the last hour: sent, and come back. */
type CodeFigures = Readonly<{ sent: number; verified: number }>;

async function codeFigures(db: Pool, now: Date): Promise<CodeFigures> {
  const { rows } = await db.query<CodeFigures>(
    `select count(*)::integer as sent, count(verified_at)::integer as verified
     from state.code_messages where sent_at > $1`,
    [new Date(now.getTime() - 3_600_000)],
  );
  return rows[0] ?? { sent: 0, verified: 0 };
}

/** Different emails, and different mobiles, that one draft in an hour and one client in a day may ask about. */
const PER_DRAFT = { points: 5, seconds: 3_600 };
const PER_SOURCE = { points: 20, seconds: 86_400 };

type Kind = 'email' | 'mobile';

/** What a draft asks about, normalised; `address` is the client's. */
export type Asked = Readonly<{ registrationId: string; kind: Kind; value: string; address: string }>;

export type CountQuestion = (asked: Asked) => Promise<void>;

/** Counts that a client asks whether an account has an email or a mobile. Throws 429 for too many in a day. */
export function sourceOfQuestions(
  deps: Pick<Deps, 'config' | 'db'>,
): (kind: Kind, address: string) => Promise<void> {
  const limiterOf = (kind: Kind) =>
    sharedLimiter(deps, { name: `registration-${kind}-source`, ...PER_SOURCE });
  const limiters = { email: limiterOf('email'), mobile: limiterOf('mobile') };
  return (kind, address) => limiters[kind].consume(hashSource(address, deps.config.keys.botCheck));
}

/**
 * Counts a question of a draft, as the answer tells who has an account. The same email or mobile again is no other
 * question. Throws 429 for too many different ones.
 */
export function countQuestions(deps: Pick<Deps, 'config' | 'db' | 'now'>): CountQuestion {
  const ofSource = sourceOfQuestions(deps);
  return async (asked) => {
    if (await note(deps, asked)) await ofSource(asked.kind, asked.address);
  };
}

/** Whether the draft asks this for the first time. Throws 429 when it asked for too many others. */
function note(
  { db, config, now }: Pick<Deps, 'config' | 'db' | 'now'>,
  { registrationId, kind, value }: Asked,
): Promise<boolean> {
  const key = reservationKey(config, kind, value);
  return inTransaction(db, async (transaction) => {
    // Those of one draft wait for each other, so that asking at once asks for no more.
    await transaction.query('select 1 from state.registrations where registration_id = $1 for update', [
      registrationId,
    ]);
    const at = now();
    const { rows } = await transaction.query<{ key: Buffer; until: Date }>(
      `select email_key as key, expires_at as until from state.registration_emails
       where registration_id = $1 and kind = $2 and expires_at > $3 order by expires_at`,
      [registrationId, kind, at],
    );
    if (rows.some((asked) => asked.key.equals(key))) return false;
    const oldest = rows.length >= PER_DRAFT.points ? rows[0] : undefined;
    if (oldest) throw tooManyRequests((oldest.until.getTime() - at.getTime()) / 1_000);
    await transaction.query(
      `insert into state.registration_emails (registration_id, email_key, kind, expires_at) values ($1, $2, $3, $4)
       on conflict (registration_id, email_key) do update set expires_at = excluded.expires_at`,
      [registrationId, key, kind, new Date(at.getTime() + PER_DRAFT.seconds * 1_000)],
    );
    await forgetExpired(transaction, 'state.registration_emails', at);
    return true;
  });
}

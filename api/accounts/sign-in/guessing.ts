import { createHmac } from 'node:crypto';
import type { Pool } from 'pg';
import { RateLimiterRes } from 'rate-limiter-flexible';
import type { Clock, Database, Deps } from '#api/deps.ts';
import { botCheckNeeded } from '#api/http/answers.ts';
import { spendTicket } from '#api/http/bot-check-tickets.ts';
import { networkOf } from '#api/http/client-address.ts';
import { forgetExpired } from '#api/http/forget-expired.ts';
import type { GaugeDeclaration } from '#api/http/health/metrics.ts';
import { postgresCounter } from '#api/http/limits.ts';
import { queueMessage } from '#api/outbox/queue.ts';

const HOUR = 3_600;
const WRONG = { name: 'login-account', points: 20, seconds: HOUR };
const NOTIFIED = { name: 'login-told', points: 1, seconds: 24 * HOUR };
/** From how many wrong passwords of an hour a try costs a bot check of one, two, three and four times the plain work. */
const STEPS = [WRONG.points, 60, 120, 240];
/** A network that gave wrong passwords for so many accounts within an hour is counted as one that tries many. */
const MANY_ACCOUNTS = 10;

/** Who tries a password: `emailKey` is the key of the email, whether an account has it or not; `ticket` came along. */
export type Guess = Readonly<{ emailKey: Buffer; ticket: string | null; address: string }>;

export type GuessingLimit = Readonly<{
  /**
   * Counts a try before the password is checked. After 20 wrong ones in an hour it throws 400 with `botCheck` unless a
   * ticket of that price comes along; it never locks. Answers how many are counted.
   */
  count(guess: Guess): Promise<number>;
  /** The password was right, or was not checked at all: the try counts no more. */
  takeBack(guess: Guess): Promise<void>;
  /** The password was wrong; at the 20th the owner is notified, at most once a day. The work is the same for every email. */
  wasWrong(guess: Guess, counted: number): Promise<void>;
}>;

/** The limit of wrong passwords per account, over all networks and sessions. */
export function guessingLimit(
  deps: Clock & Pick<Deps, 'config' | 'db' | 'logger' | 'messages'>,
): GuessingLimit {
  if (deps.config.rateLimits === 'off') {
    return { count: async () => 0, takeBack: async () => {}, wasWrong: async () => {} };
  }
  const wrong = postgresCounter(deps, WRONG);
  const notified = postgresCounter(deps, NOTIFIED);
  const keyOf = ({ emailKey }: Guess) => emailKey.toString('base64url');

  async function notifyOwner({ emailKey }: Guess): Promise<void> {
    const refusal = await notified.consume(emailKey.toString('base64url')).then(
      () => null,
      (reason: unknown) => reason,
    );
    if (refusal instanceof RateLimiterRes) return;
    if (refusal !== null) throw refusal;
    const message = {
      id: deps.newId(),
      kind: 'password-guessing',
      data: { claim: emailKey.toString('hex') },
    } as const;
    await queueMessage(deps.db, message, deps.now());
    deps.messages?.notify();
    deps.logger.warn({ event: 'password-guessing' });
  }

  return {
    async count(guess) {
      const { consumedPoints: counted } = await wrong.penalty(keyOf(guess), 1);
      const price = STEPS.filter((step) => counted > step).length;
      if (price === 0) return counted;
      const { ticket } = guess;
      const spent = ticket === null ? null : await spendTicket(deps.db, ticket, 'login', deps.now());
      if (spent && spent.price >= price) return counted;
      await wrong.reward(keyOf(guess), 1);
      throw botCheckNeeded({ scope: 'login', price });
    },
    async takeBack(guess) {
      await wrong.reward(keyOf(guess), 1);
    },
    async wasWrong(guess, counted) {
      await noteFailure(deps, guess);
      if (counted >= WRONG.points) await notifyOwner(guess);
    },
  };
}

async function noteFailure(
  { db, config, now }: Pick<Deps, 'config' | 'db' | 'now'>,
  { emailKey, address }: Guess,
): Promise<void> {
  const hash = (what: string) => createHmac('sha256', config.keys.claim).update(what).digest('base64url');
  const at = now();
  await db.query(
    `insert into state.login_failures (network_hash, account_hash, expires_at) values ($1, $2, $3)
     on conflict (network_hash, account_hash) do update set expires_at = excluded.expires_at`,
    [
      hash(`login network ${networkOf(address)}`),
      hash(`login account ${emailKey.toString('hex')}`),
      new Date(at.getTime() + HOUR * 1_000),
    ],
  );
  await forgetExpired(db, 'state.login_failures', at);
}

/** Who seems to guess passwords, for the metrics. */
export function guessingGauges({ db, now }: Clock & Pick<Database, 'db'>): GaugeDeclaration[] {
  return [
    {
      name: 'ute_login_networks_trying_many',
      help: 'Networks that gave wrong passwords for many accounts in the last hour',
      read: async () => [{ value: await networksTryingMany(db, now()) }],
    },
  ];
}

/** How many networks gave wrong passwords for many accounts in the last hour. */
async function networksTryingMany(db: Pool, now: Date): Promise<number> {
  const { rows } = await db.query<{ networks: number }>(
    `select count(*)::integer as networks from (
       select 1 from state.login_failures where expires_at > $1 group by network_hash having count(*) >= $2) as busy`,
    [now, MANY_ACCOUNTS],
  );
  return rows[0]?.networks ?? 0;
}

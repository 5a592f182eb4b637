import type { Pool, PoolClient } from 'pg';
import type { Clock, Database, Deps } from '#api/deps.ts';
import { forgetExpired } from '#api/http/forget-expired.ts';
import type { GaugeDeclaration } from '#api/http/health/metrics.ts';
import { type OutboxMessage, queueMessage } from '#api/outbox/queue.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { lockUntilCommit } from '#core/postgres/locks.ts';
import { inTransaction } from '#core/postgres/transaction.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** SMS about jobs that one business is sent. */
const PER_BUSINESS = { hour: 6, day: 30 };
/** A test is one of them, and leaves the others to jobs. */
const BEFORE_A_TEST = { hour: 3, day: 15 };

/** What became of an SMS about a job: what came without a bot check is never notified by SMS. */
type AlertOutcome = 'sent' | 'unchecked' | 'business' | 'everybody';

/** The mail in place of an SMS that may not go out. */
type MailInstead = 'new-job-mail' | 'no-longer-needed-mail';

/** An SMS about a job: `isAnswered` once the tradie has accepted it, `mail` the kind that tells the same by mail. */
type Alert = Readonly<{ message: OutboxMessage; isAnswered: boolean; mail: MailInstead | null }>;

/**
 * Whether an SMS about a job may go out: within the budgets of the business and of the product, and only for a request
 * that came with a bot check or was accepted since. One that may not is notified by mail where `mail` names its kind. A message
 * that is tried again is not counted again.
 */
export async function spendAlert(
  deps: Pick<Deps, 'config' | 'db' | 'logger' | 'now'>,
  alert: Alert,
): Promise<boolean> {
  const { message, mail } = alert;
  const outcome = await inTransaction(deps.db, async (db) => {
    const decided = await decide(deps, db, alert);
    if (decided !== 'sent' && mail !== null) await queueInstead(db, message, mail, deps.now());
    return decided;
  });
  if (outcome === 'everybody') deps.logger.error({ event: 'alert-budget-spent', message: message.id });
  else if (outcome !== 'sent')
    deps.logger.warn({ event: 'alert-by-mail', reason: outcome, message: message.id });
  return outcome === 'sent';
}

async function decide(
  deps: Pick<Deps, 'config' | 'now'>,
  db: PoolClient,
  { message, isAnswered }: Alert,
): Promise<AlertOutcome> {
  const { id, businessId } = message;
  const now = deps.now();
  // One lock for all: each SMS must be counted before the next one asks.
  await lockUntilCommit(db, 'alert budget');
  const { rows } = await db.query<{ outcome: AlertOutcome }>(
    'select outcome from state.alert_messages where message_id = $1',
    [id],
  );
  if (rows[0]) return rows[0].outcome;
  const outcome = await outcomeOf(deps, db, { message, isAnswered }, now);
  await db.query(
    `insert into state.alert_messages (message_id, business_id, outcome, decided_at, expires_at)
     values ($1, $2, $3, $4, $5)`,
    [id, businessId ?? '', outcome, now, new Date(now.getTime() + DAY)],
  );
  await forgetExpired(db, 'state.alert_messages', now);
  return outcome;
}

async function outcomeOf(
  { config }: Pick<Deps, 'config'>,
  db: PoolClient,
  { message, isAnswered }: Omit<Alert, 'mail'>,
  now: Date,
): Promise<AlertOutcome> {
  if (!isAnswered && (await cameUnchecked(db, message.jobId))) return 'unchecked';
  if (config.rateLimits === 'off') return 'sent';
  const { rows } = await db.query<{ hour: number; day: number; everybody: number }>(
    `select count(*) filter (where business_id = $1 and decided_at > $2)::integer as hour,
       count(*) filter (where business_id = $1)::integer as day,
       count(*) filter (where decided_at > $2)::integer as everybody
     from state.alert_messages where outcome = 'sent' and decided_at > $3`,
    [message.businessId, new Date(now.getTime() - HOUR), new Date(now.getTime() - DAY)],
  );
  const { hour = 0, day = 0, everybody = 0 } = rows[0] ?? {};
  const most = message.kind === 'test-alert-sms' ? BEFORE_A_TEST : PER_BUSINESS;
  if (hour >= most.hour || day >= most.day) return 'business';
  return everybody >= config.alertsPerHour ? 'everybody' : 'sent';
}

async function cameUnchecked(db: PoolClient, jobId: string | null): Promise<boolean> {
  const { rowCount } = await db.query(
    `select 1 from state.intake where job_id = $1 and channel <> 'checked'`,
    [jobId],
  );
  return rowCount === 1;
}

async function queueInstead(db: PoolClient, sms: OutboxMessage, kind: MailInstead, now: Date): Promise<void> {
  const { businessId, jobId } = sms;
  await queueMessage(
    db,
    {
      ...{
        id: uuidV5(sms.id, kind),
        kind,
        data: { revision: Number(sms.data['revision']), insteadOfSms: true },
      },
      ...(businessId === null ? {} : { businessId }),
      ...(jobId === null ? {} : { jobId }),
    },
    now,
  );
}

/** SMS about jobs, for the metrics. */
export function alertGauges({ db, now }: Clock & Pick<Database, 'db'>): GaugeDeclaration[] {
  return [
    {
      name: 'ute_alert_sms_last_hour',
      help: 'SMS about jobs of the last hour: sent, or why not',
      labelNames: ['outcome'],
      async read() {
        const figures = await alertFigures(db, now());
        return Object.entries(figures).map(([outcome, value]) => ({ value, labels: { outcome } }));
      },
    },
  ];
}

/** SMS about jobs of the last hour, by what became of them. */
async function alertFigures(db: Pool, now: Date): Promise<Record<AlertOutcome, number>> {
  const { rows } = await db.query<{ outcome: AlertOutcome; count: number }>(
    `select outcome, count(*)::integer as count from state.alert_messages where decided_at > $1 group by outcome`,
    [new Date(now.getTime() - HOUR)],
  );
  const none = { sent: 0, unchecked: 0, business: 0, everybody: 0 };
  return { ...none, ...Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count])) };
}

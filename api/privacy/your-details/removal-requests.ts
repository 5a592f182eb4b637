import type { Deps } from '#api/deps.ts';
import type { GaugeDeclaration } from '#api/http/health/metrics.ts';
import { loadJob } from '#api/jobs/load-job.ts';
import { queueMessage } from '#api/outbox/queue.ts';
import { type RequestDeps, requestErasure } from '#api/privacy/request-erasure.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { hidesContact } from '#core/job/status/statuses.ts';
import { ConflictError } from '#core/kernel/errors.ts';
import { countRequestsBefore, listRequests, type OpenRequest } from '#projections/jobs/erased.ts';

const DAY = 86_400_000;
/** On which days after the customer asked the business is reminded, the later first. */
const reminders = [14, 7] as const;
/** From this day on the operator is alarmed: in New Zealand an answer is due within 20 working days. */
const overdueDays = 20;

/** What is done for one request at a time. */
const PAGE = 200;

type FollowDeps = RequestDeps & Pick<Deps, 'db' | 'messages' | 'logger'>;

/**
 * Goes on with what customers asked for, as the read model has it: plans the removal of what was never accepted where the request did
 * not get to that, or a dispute has ended; reminds businesses that have not answered; and removes what was to stay until a day that has
 * come. Each bears a repeat. One job that cannot be gone on with holds up no other.
 */
export async function followRequests(deps: FollowDeps): Promise<void> {
  const now = deps.now();
  let after = '';
  for (;;) {
    const requests = await listRequests(deps.db, now, { after, limit: PAGE });
    for (const request of requests) {
      await follow(deps, request, now).catch((error: unknown) => {
        if (!(error instanceof ConflictError)) throw error;
        // In dispute, or on hold: it is looked at again.
        deps.logger.debug({ event: 'removal-request-waits', job: request.jobId });
      });
    }
    const last = requests.at(-1);
    if (requests.length < PAGE || !last) return;
    after = last.jobId;
  }
}

async function follow(deps: FollowDeps, request: OpenRequest, now: Date): Promise<void> {
  if (request.askedAt === null) return removeKept(deps, request, now);
  if (hidesContact(request.status)) return removeUnaccepted(deps, request);
  const { jobId, businessId, askedAt } = request;
  const days = (now.getTime() - askedAt.getTime()) / DAY;
  const day = reminders.find((one) => days >= one);
  if (day === undefined) return;
  const id = uuidV5(jobId, `removal-reminder ${askedAt.toISOString()} ${day}`);
  const isNew = await queueMessage(
    deps.db,
    { id, kind: 'removal-reminder', businessId, jobId, data: { day } },
    now,
  );
  if (isNew) deps.messages?.notify();
}

type OfJob = Readonly<{ jobId: string; businessId: string }>;

/** The removal of what was never accepted needs no consent; of two calls the second is the first again. */
export async function removeUnaccepted(deps: RequestDeps, { jobId, businessId }: OfJob): Promise<void> {
  const { details, events } = await loadJob(deps, businessId, jobId);
  const asked = events.findLast(({ type }) => type === 'CustomerRemovalAsked');
  const isOpen = details.removalAskedAt !== null && details.erasureDueAt === null;
  if (!asked || !isOpen || !hidesContact(details.status)) return;
  await requestErasure(deps, {
    erasureId: uuidV5(jobId, `asked by the customer at ${asked.revision}`),
    ...{ scope: 'jobs', basis: 'customer-asked', businessId, ids: [jobId], actor: 'customer' },
  });
}

/** Without a grace: business and customer have known the day since the answer. */
async function removeKept(deps: RequestDeps, { jobId, businessId }: OfJob, now: Date): Promise<void> {
  const { details } = await loadJob(deps, businessId, jobId);
  const { keptUntil, erasureDueAt } = details;
  if (keptUntil === null || Date.parse(keptUntil) > now.getTime() || erasureDueAt !== null) return;
  await requestErasure(deps, {
    erasureId: uuidV5(jobId, `kept until ${keptUntil}`),
    ...{ scope: 'jobs', basis: 'customer-asked', businessId, ids: [jobId], isNow: true },
  });
}

/** How many customers have waited too long, and how many removals were begun and are not completed a day later. */
export function requestGauges({ db, now }: Pick<Deps, 'db' | 'now'>): GaugeDeclaration[] {
  return [
    {
      name: 'ute_erasure_overdue',
      help: `Customers without an answer to their request for removal for ${overdueDays} days, and removals that are not completed a day after they began`,
      labelNames: ['what'],
      read: async () => {
        const before = (days: number) => new Date(now().getTime() - days * DAY);
        const [unanswered, { rows }] = await Promise.all([
          countRequestsBefore(db, before(overdueDays)),
          db.query<{ n: number }>(
            `select count(*)::int as n from state.erasures where status = 'begun' and begun_at < $1`,
            [before(1)],
          ),
        ]);
        return [
          { labels: { what: 'unanswered' }, value: unanswered },
          { labels: { what: 'unfinished' }, value: rows[0]?.n ?? 0 },
        ];
      },
    },
  ];
}

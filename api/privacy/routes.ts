import { type } from 'arktype';
import { Elysia } from 'elysia';
import { createOwnerCheck } from '#api/accounts/sign-in/credentials.ts';
import type { Deps } from '#api/deps.ts';
import { invalid, ok } from '#api/http/answers.ts';
import { auth } from '#api/http/auth.ts';
import type { Session } from '#api/http/request-context.ts';
import { changeLimit } from '#api/jobs/change-job.ts';
import { jobIdFrom, loadJob, viewOf } from '#api/jobs/load-job.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { jobDecider } from '#core/job/decider.ts';
import { erasedMessage } from '#core/job/retention.ts';
import type { JobStatus } from '#core/job/statuses.ts';
import { shownText } from '#core/job/withheld-fields.ts';
import { fold } from '#core/kernel/decider.ts';
import { ConflictError, NotFoundError } from '#core/kernel/errors.ts';
import { findContact, findJobsOfCustomer } from '#projections/jobs/erased.ts';
import { listOutOfReach, type SentMessages } from './out-of-reach.ts';
import { cancelErasure, isAskedByCustomer, requestErasure } from './request-erasure.ts';

const reasonMessage = 'The customer asked for this: to keep the details, say why';
const customersMessage = 'The customer asked for this, so the details go';

/** Jobs of one customer that a tradie can remove at once, beside the one on the page; above `freely` with the password. */
const mostOthers = 99;
const freely = 9;
const passwordMessage = 'Type in your password to remove more than ten jobs at once';

const Removal = type({
  '+': 'reject',
  'others?': type('string <= 100').array().atMostLength(mostOthers),
  'currentPassword?': 'string <= 1000',
});

/** Another job of the same customer. */
type OtherJob = Readonly<{ id: string; name: string; title: string; status: JobStatus; createdAt: string }>;

const offered = {
  summary: "Other jobs whose customer has this one's email or phone",
  description:
    'What the removal of their details may include. `outOfReach` lists what went out and cannot be called back, newest first.',
};
const asked = {
  summary: "Removes the customer's details in seven days",
  description:
    'Of this job and of `others`; of more than ten jobs with `currentPassword`. Until then the contact is withheld, and DELETE takes it back. The same again changes nothing.',
};

/**
 * GET /jobs/{id}/erasure → { others, outOfReach }: up to 99 other jobs of the customer, and what was handed out of them and this one · POST …/erasure { others, currentPassword } → { job }: their
 * details go in seven days, of more than ten jobs with the password · DELETE …/erasure → { job }: they stay after all. 409 once they are removed, or the removal has begun,
 * and for DELETE where the customer asked for it: they keep it themselves, or the business says why (`…/erasure/refusal`).
 */
export function erasureRoutes(deps: Deps, sentMessages: SentMessages) {
  const limit = changeLimit(deps);
  const checkOwner = createOwnerCheck(deps);
  return new Elysia({ name: 'erasures', prefix: '/jobs' })
    .use(auth(deps))
    .get(
      '/:id/erasure',
      async ({ session, params }) => {
        const jobId = jobIdFrom(params.id);
        await loadJob(deps, session.businessId, jobId);
        const others = await othersOf(deps, session, jobId);
        const jobIds = [jobId, ...others.map(({ id }) => id)];
        const { businessId } = session;
        return ok({ others, outOfReach: await listOutOfReach(deps, sentMessages, { businessId, jobIds }) });
      },
      { signedIn: true, detail: offered },
    )
    .post(
      '/:id/erasure',
      async ({ session, params, body, request }) => {
        const jobId = jobIdFrom(params.id);
        await limit(session, jobId);
        const { businessId, accountId } = session;
        const { details } = await loadJob(deps, businessId, jobId);
        if (details.erasedAt !== null) throw new ConflictError(erasedMessage);
        if (details.erasureDueAt === null) {
          const known = await othersOf(deps, session, jobId);
          const chosen = body.others ?? [];
          const others = known.filter(({ id }) => chosen.includes(id)).map(({ id }) => id);
          if (others.length !== new Set(chosen).size) throw new NotFoundError('Job not found');
          if (others.length > freely) {
            if (body.currentPassword === undefined) throw invalid({ currentPassword: passwordMessage });
            await checkOwner(session, body.currentPassword, request);
          }
          await requestErasure(deps, {
            // Of two presses at once the second is the first again.
            erasureId: uuidV5(NAMESPACE, `${jobId}/${details.revision}`),
            ...{ scope: 'jobs', basis: 'tradie', businessId, actor: `account:${accountId}` },
            ids: [jobId, ...others],
          });
        }
        return answer(deps, session, jobId);
      },
      { signedIn: true, body: Removal, detail: asked },
    )
    .delete(
      '/:id/erasure',
      async ({ session, params }) => {
        const jobId = jobIdFrom(params.id);
        await limit(session, jobId);
        const { events } = await loadJob(deps, session.businessId, jobId);
        const state = fold(
          jobDecider,
          events.flatMap(({ event }) => event ?? []),
        );
        if (state?.isErased) throw new ConflictError(erasedMessage);
        if (state?.plannedErasure) {
          if (await isAskedByCustomer(deps, state.plannedErasure)) throw new ConflictError(customersMessage);
          if (state.isRemovalAsked) throw new ConflictError(reasonMessage);
          await cancelErasure(deps, state.plannedErasure, `account:${session.accountId}`);
        }
        return answer(deps, session, jobId);
      },
      { signedIn: true, detail: { summary: "Keeps the customer's details after all" } },
    );
}

const NAMESPACE = 'c6f7f0a4-1f3e-5d0a-9a63-0e5a4c4b6f11';

/** The job from its own stream: never behind. */
async function answer(deps: Pick<Deps, 'config' | 'now' | 'store'>, { businessId }: Session, jobId: string) {
  const { details } = await loadJob(deps, businessId, jobId);
  return ok({ job: viewOf(deps, details) });
}

async function othersOf(
  deps: Pick<Deps, 'db' | 'store'>,
  { businessId }: Session,
  jobId: string,
): Promise<OtherJob[]> {
  const contact = await findContact(deps.db, businessId, jobId);
  if (!contact || (!contact.email && !contact.phone)) return [];
  const ids = await findJobsOfCustomer(deps.db, businessId, contact);
  const others: OtherJob[] = [];
  for (const id of ids.filter((one) => one !== jobId).slice(0, mostOthers)) {
    const { details } = await loadJob(deps, businessId, id);
    const { status, createdAt, erasureDueAt, erasedAt } = details;
    const [name, title] = [shownText(details, details.name), shownText(details, details.title)];
    if (erasureDueAt === null && erasedAt === null) others.push({ id, name, title, status, createdAt });
  }
  return others;
}

import { type } from 'arktype';
import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { auth } from '#api/http/auth.ts';
import { ok } from '#api/http/envelope.ts';
import { contextOf } from '#api/http/request-context.ts';
import { messageKinds } from '#core/job/events.ts';
import { answerChange } from './answer-change.ts';
import { changeJob } from './change-job.ts';
import { jobHistory } from './history.ts';
import { jobIdFrom } from './job-id.ts';
import { changeUndoer } from './undo-change.ts';

const Undo = type({ '+': 'reject', revision: 'number.integer >= 0', 'since?': 'number.integer >= 0' });
const Message = type({ '+': 'reject', kind: type.enumerated(...messageKinds) });

/**
 * GET /jobs/{id}/history → { history: [{ revision, at, who, what, from, to, undo, text }] }, newest first ·
 * POST /jobs/{id}/undo { revision, since } → { job }: takes back the change that was answered with that revision, or all
 * savings of the notes since another, within a minute, else 409 with { job }, 429 after five acceptances a day · POST /jobs/{id}/messages { kind } → { job }: says in the history that a message to the
 * customer was opened.
 */
export function jobHistoryRoutes(deps: Deps) {
  const undoChange = changeUndoer(deps);
  return new Elysia({ name: 'job-history', prefix: '/jobs' })
    .use(auth(deps))
    .get(
      '/:id/history',
      async ({ session, params }) => ok({ history: await jobHistory(deps, session, jobIdFrom(params.id)) }),
      { signedIn: true },
    )
    .post(
      '/:id/undo',
      ({ session, params, body, request, set }) => {
        const jobId = jobIdFrom(params.id);
        const undo = { session, jobId, ...body, correlation: contextOf(request).id };
        return answerChange(deps, { session, jobId, set }, undoChange(undo));
      },
      { signedIn: true, body: Undo },
    )
    .post(
      '/:id/messages',
      ({ session, params, body, request, set }) => {
        const jobId = jobIdFrom(params.id);
        const wishes = [{ type: 'OpenCustomerMessage', kind: body.kind }] as const;
        const change = { session, jobId, wishes, base: undefined, correlation: contextOf(request).id };
        return answerChange(deps, { session, jobId, set }, changeJob(deps, change));
      },
      { signedIn: true, body: Message },
    );
}

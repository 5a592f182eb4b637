import { type } from 'arktype';
import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { ok } from '#api/http/answers.ts';
import { auth } from '#api/http/auth.ts';
import { operation } from '#api/http/openapi/operation.ts';
import { contextOf } from '#api/http/request-context.ts';
import { messageKinds } from '#core/job/customer/customer-messages.ts';
import { answerChange, changeJob } from './change-job.ts';
import { historyPage, jobHistory, type UndeliveredMessages } from './history.ts';
import { jobIdFrom } from './load-job.ts';
import { changeUndoer } from './undo-change.ts';

const HistoryQuery = type({
  '+': 'reject',
  'before?': type('/^\\d{1,9}$/').describe('A revision: entries before it'),
});
const description = `Answers at most ${historyPage.entries} entries, fewer where notes are long, and \`next\`: a revision. With it as \`before\` the next call answers the entries before that revision. \`next\` is null on the last page.`;
const Undo = type({ '+': 'reject', revision: 'number.integer >= 0', 'since?': 'number.integer >= 0' });
const Message = type({ '+': 'reject', kind: type.enumerated(...messageKinds) });

/**
 * GET /jobs/{id}/history?before → { history: [{ revision, at, who, what, from, to, undo, text }], next }, newest first, a page
 * of it; `next` is the `before` of the page after it, null at the end ·
 * POST /jobs/{id}/undo { revision, since } → { job }: takes back the change that was answered with that revision, or all
 * savings of the notes since another, within a minute, else 409 with { job }, 429 after five acceptances a day · POST /jobs/{id}/messages { kind } → { job }: says in the history that a message to the
 * customer was opened.
 */
export function jobHistoryRoutes(deps: Deps, undelivered: UndeliveredMessages) {
  const undoChange = changeUndoer(deps);
  const { limitJobChanges } = deps;
  return new Elysia({ name: 'job-history', prefix: '/jobs' })
    .use(auth(deps))
    .get(
      '/:id/history',
      async ({ session, params, query }) => {
        const before = query.before === undefined ? null : Number(query.before);
        return ok(
          await jobHistory({ ...deps, undelivered }, session, { jobId: jobIdFrom(params.id), before }),
        );
      },
      {
        signedIn: true,
        query: HistoryQuery,
        detail: operation('Jobs', 'getJobHistory', 'What happened to a job', { description }),
      },
    )
    .post(
      '/:id/undo',
      async ({ session, params, body, request, set }) => {
        const jobId = jobIdFrom(params.id);
        await limitJobChanges(session, jobId);
        const undo = { session, jobId, ...body, correlation: contextOf(request).id };
        return answerChange(deps, { session, jobId, set }, undoChange(undo));
      },
      {
        signedIn: true,
        body: Undo,
        detail: operation('Jobs', 'undoJobChange', 'Takes a change back'),
      },
    )
    .post(
      '/:id/messages',
      async ({ session, params, body, request, set }) => {
        const jobId = jobIdFrom(params.id);
        await limitJobChanges(session, jobId);
        const changes = [{ type: 'OpenCustomerMessage', kind: body.kind }] as const;
        const change = {
          ...{ session, jobId, changes, ifUnchangedSince: undefined },
          correlation: contextOf(request).id,
        };
        return answerChange(deps, { session, jobId, set }, changeJob(deps, change));
      },
      {
        signedIn: true,
        body: Message,
        detail: operation('Jobs', 'noteCustomerMessage', 'Notes that a message to the customer was opened'),
      },
    );
}

import { type } from 'arktype';
import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { badRequest, ok } from '#api/http/answers.ts';
import { answerLimit, redirectAfterPost } from '#api/http/button-posts.ts';
import { operation } from '#api/http/openapi/operation.ts';
import { contextOf } from '#api/http/request-context.ts';
import { changeUndoer } from '#api/jobs/undo-change.ts';
import { rejectionReasons } from '#core/job/answer/rejection-reasons.ts';
import { answerJob, readAnswerPage, type SentAnswer, undoAnswer } from './answer-job.ts';
import { readNotNeededPage, sayNotNeeded } from './not-needed.ts';

const AnswerBody = type({ '+': 'reject', answer: "'accept'" })
  .or({ '+': 'reject', answer: "'undo'" })
  .or({ '+': 'reject', answer: "'decline'", 'reason?': type.enumerated(...rejectionReasons) });
const Nothing = type({ '+': 'reject' }).or('null');

/**
 * What the links in messages lead to; the token is all that it takes, so no session. GET only ever shows, because mail
 * scanners follow links. GET /answers/{token} → `AnswerPage` · POST /answers/{token} { answer } → the same, `undo`
 * within a minute of the answer, `decline` also with `reason` ·
 * GET /not-needed/{token} → `NotNeededPage` · POST /not-needed/{token} → the same. A token that opens nothing is 404.
 */
export function answerRoutes(deps: Deps) {
  const limit = answerLimit(deps);
  const send = answerSender(deps);
  return new Elysia({ name: 'answers' })
    .get('/answers/:token', async ({ params }) => ok(await readAnswerPage(deps, params.token)), {
      detail: operation('Intake', 'getRequestToAnswer', 'The summary behind the link of an alert', {
        access: 'open',
      }),
    })
    .post(
      '/answers/:token',
      async ({ params, body, request }) => {
        await limit(request);
        return ok(await send(params.token, body, contextOf(request).id));
      },
      {
        body: AnswerBody,
        detail: operation('Intake', 'answerRequest', 'Accepts or rejects by the link of an alert', {
          access: 'open',
        }),
      },
    )
    .get('/not-needed/:token', async ({ params }) => ok(await readNotNeededPage(deps, params.token)), {
      detail: operation('Intake', 'getRequestToCallOff', 'The request behind the link of a receipt', {
        access: 'open',
      }),
    })
    .post(
      '/not-needed/:token',
      async ({ params, request }) => {
        await limit(request);
        return ok(await sayNotNeeded(deps, params.token, contextOf(request).id));
      },
      {
        body: Nothing,
        detail: operation('Intake', 'callOffRequest', 'Calls a request off', { access: 'open' }),
      },
    );
}

/**
 * The buttons of the pages behind the links in messages, as plain forms: POST /answer/{token} with `answer`, POST
 * /not-needed/{token}. Both lead back to the page by 303, which then says how things stand. That the post comes from
 * our own page is checked by `http/edge.ts`; GET never acts, because mail scanners follow links.
 */
export function answerPages(deps: Deps) {
  const limit = answerLimit(deps);
  const send = answerSender(deps);
  const post = (request: Request, act: (correlation: string) => Promise<unknown>, isUndo = false) => {
    const work = async () => {
      await limit(request);
      await act(contextOf(request).id);
    };
    return redirectAfterPost(deps, request, work, isUndo ? { refused: '?undo=late' } : {});
  };
  return new Elysia({ name: 'answer-pages' })
    .post('/answer/:token', ({ params, request }) => {
      const answer = postedAnswer(request);
      const act = (correlation: string) => send(params.token, answer, correlation);
      return post(request, act, answer.answer === 'undo');
    })
    .post('/not-needed/:token', ({ params, request }) =>
      post(request, (correlation) => sayNotNeeded(deps, params.token, correlation)),
    );
}

/** What a link sends: its answer, or that the answer is taken back. */
function answerSender(deps: Deps) {
  const undoChange = changeUndoer(deps);
  return (token: string, sent: SentAnswer, correlation: string) =>
    sent.answer === 'undo'
      ? undoAnswer({ ...deps, undoChange }, token, correlation)
      : answerJob(deps, token, sent, correlation);
}

function postedAnswer(request: Request): SentAnswer {
  const sent = AnswerBody(contextOf(request).body ?? {});
  if (sent instanceof type.errors) throw badRequest('Accept or reject');
  return sent;
}

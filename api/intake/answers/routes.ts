import { type } from 'arktype';
import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { ok } from '#api/http/envelope.ts';
import { contextOf } from '#api/http/request-context.ts';
import { answerJob, readAnswerPage } from './answer-job.ts';
import { answerLimit } from './button-posts.ts';
import { readNotNeededPage, sayNotNeeded } from './not-needed.ts';

const Answer = type({ '+': 'reject', answer: "'accept' | 'decline'" });
const Nothing = type({ '+': 'reject' }).or('null');

/**
 * What the links in messages lead to; the token is all that it takes, so no session. GET only ever shows, because mail
 * scanners follow links. GET /answers/{token} → `AnswerPage` · POST /answers/{token} { answer } → the same ·
 * GET /not-needed/{token} → `NotNeededPage` · POST /not-needed/{token} → the same. A token that opens nothing is 404.
 */
export function answerRoutes(deps: Deps) {
  const limit = answerLimit(deps);
  return new Elysia({ name: 'answers' })
    .get('/answers/:token', async ({ params }) => ok(await readAnswerPage(deps, params.token)))
    .post(
      '/answers/:token',
      async ({ params, body, request }) => {
        await limit(request);
        const given = { answer: body.answer, correlation: contextOf(request).id };
        return ok(await answerJob(deps, params.token, given));
      },
      { body: Answer },
    )
    .get('/not-needed/:token', async ({ params }) => ok(await readNotNeededPage(deps, params.token)))
    .post(
      '/not-needed/:token',
      async ({ params, request }) => {
        await limit(request);
        return ok(await sayNotNeeded(deps, params.token, contextOf(request).id));
      },
      { body: Nothing },
    );
}

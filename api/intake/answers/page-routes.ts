import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { badRequest } from '#api/http/http-errors.ts';
import { contextOf } from '#api/http/request-context.ts';
import { type Answer, answerJob } from './answer-job.ts';
import { answerLimit, redirectAfterPost } from './button-posts.ts';
import { sayNotNeeded } from './not-needed.ts';

/**
 * The buttons of the pages behind the links in messages, as plain forms: POST /answer/{token} with `answer`, POST
 * /not-needed/{token}. Both lead back to the page by 303, which then says how things stand. That the post comes from
 * our own page is checked by `http/form-origin.ts`; GET never acts, because mail scanners follow links.
 */
export function answerPages(deps: Deps) {
  const limit = answerLimit(deps);
  const post = (request: Request, act: (correlation: string) => Promise<unknown>) =>
    redirectAfterPost(deps, request, async () => {
      await limit(request);
      await act(contextOf(request).id);
    });
  return new Elysia({ name: 'answer-pages' })
    .post('/answer/:token', ({ params, request }) => {
      const answer = postedAnswer(request);
      return post(request, (correlation) => answerJob(deps, params.token, { answer, correlation }));
    })
    .post('/not-needed/:token', ({ params, request }) =>
      post(request, (correlation) => sayNotNeeded(deps, params.token, correlation)),
    );
}

function postedAnswer(request: Request): Answer {
  const { answer } = (contextOf(request).body ?? {}) as { answer?: unknown };
  if (answer === 'accept' || answer === 'decline') return answer;
  throw badRequest('Accept or decline');
}

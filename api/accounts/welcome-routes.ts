import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { answerLimit, redirectAfterPost } from '#api/http/button-posts.ts';
import { contextOf } from '#api/http/request-context.ts';
import { confirmEmail } from './contact/email-confirmation.ts';

/**
 * POST /welcome/{token}: the button of the page behind a welcome mail, as a plain form. Leads back to the page by 303, which
 * then says that the address is confirmed. GET only shows, because mail scanners follow links.
 */
export function welcomePages(deps: Deps) {
  const limit = answerLimit(deps);
  return new Elysia({ name: 'welcome-pages' }).post('/welcome/:token', ({ params, request }) =>
    redirectAfterPost(deps, request, async () => {
      await limit(request);
      await confirmEmail(deps, params.token, contextOf(request).id);
    }),
  );
}

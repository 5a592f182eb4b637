import { Elysia } from 'elysia';
import { admitAnswers } from '#api/answers/admit-answers.ts';
import { afterPress } from '#api/answers/after-press.ts';
import type { Deps } from '#api/deps.ts';
import { contextOf } from '#api/http/request-context.ts';
import { confirmEmail } from './email-confirmation.ts';

/**
 * POST /welcome/{token}: the button of the page behind a welcome mail, as a plain form. Leads back to the page by 303, which
 * then says that the address is confirmed. GET only shows, because mail scanners follow links.
 */
export function welcomePages(deps: Deps) {
  const admit = admitAnswers(deps);
  return new Elysia({ name: 'welcome-pages' }).post('/welcome/:token', ({ params, request }) =>
    afterPress(deps, request, async () => {
      await admit(request);
      await confirmEmail(deps, params.token, contextOf(request).id);
    }),
  );
}

import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { badRequest } from '#api/http/answers.ts';
import { readUpload } from '#api/http/body/body.ts';
import { bodyTooLarge } from '#api/http/body/body-rules.ts';
import { redirectAfterPost } from '#api/http/button-posts.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { contextOf } from '#api/http/request-context.ts';
import { openUnsubscribing, unsubscribe } from './unsubscribe.ts';

/** Presses in ten minutes for one account: mail programs repeat themselves. By address, it would shut out a mail service. */
const LIMIT = { name: 'unsubscribe', points: 30, seconds: 600 };
/** What the two forms hold, with what stands around it in bytes. */
const BODY = { limit: 4_096, tooLarge: bodyTooLarge };
const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };

/**
 * POST /unsubscribe/{token}, from a mail program (`List-Unsubscribe=One-Click`, RFC 8058: no session, no cookie, no
 * redirect, from anywhere) or by the button of the page itself (`from=page`), to which it leads back by 303. The same
 * again changes nothing. GET only shows, because mail scanners follow links.
 */
export function unsubscribePages(deps: Deps) {
  const limiter = sharedLimiter(deps, LIMIT);
  return new Elysia({ name: 'unsubscribe-pages' }).post(
    '/unsubscribe/:token',
    async ({ params: { token }, request }) => {
      const from = await pressed(request);
      const turnOff = async () => {
        await limiter.consume(openUnsubscribing(deps, token).accountId);
        return unsubscribe(deps, token, contextOf(request).id);
      };
      if (from === 'page') return redirectAfterPost(deps, request, turnOff);
      const { what } = await turnOff();
      return new Response(`You are unsubscribed from ${what}.\n`, { headers });
    },
  );
}

/** Whose press it is. Throws 400 for a post that names no account: nothing is turned off by accident. */
async function pressed(request: Request): Promise<'mail' | 'page'> {
  const bytes = new Uint8Array(await readUpload(request, BODY));
  const type = request.headers.get('content-type') ?? '';
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData().catch(() => {
    throw badRequest('The form cannot be read');
  });
  if (form.get('List-Unsubscribe') === 'One-Click') return 'mail';
  if (form.get('from') === 'page') return 'page';
  throw badRequest('Say what is to be done: List-Unsubscribe=One-Click');
}

import { type } from 'arktype';
import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { badRequest, ok } from '#api/http/answers.ts';
import { answerLimit, redirectAfterPost } from '#api/http/button-posts.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { contextOf } from '#api/http/request-context.ts';
import { correctionLength } from '#core/values/job-form.ts';
import { countCharacters, isWellFormed } from '#core/values/text.ts';
import {
  askAboutDetails,
  type DetailsAsk,
  downloadYourDetails,
  linkKey,
  readYourDetails,
} from './your-details.ts';

/** Presses of one link in an hour: it may be in more hands than one client's. */
const PER_LINK = { name: 'details-link', points: 60, seconds: 3600 };

const Text = type('string').narrow((text, ctx) => {
  if (!isWellFormed(text)) return ctx.mustBe('plain text');
  return (
    countCharacters(text.trim()) <= correctionLength || ctx.mustBe(`at most ${correctionLength} characters`)
  );
});
const Ask = type({ '+': 'reject', ask: "'correction'", text: Text }).or({
  '+': 'reject',
  ask: "'removal' | 'keep'",
});

/**
 * The customer's "Your details" of one job; the token is all that it takes. GET /your-details/{token} → `YourDetails` · GET
 * …/download: the same as a file, with every field · POST …/{token} { ask, text } → `YourDetails`: asks for a correction
 * or the removal, or keeps the details after all. A token that opens nothing is 404, as is the file once the details are removed; to ask is 409 then.
 */
export function yourDetailsRoutes(deps: Deps) {
  const limit = detailsLimit(deps);
  return new Elysia({ name: 'your-details', prefix: '/your-details' })
    .get('/:token', async ({ params }) => ok(await readYourDetails(deps, params.token)))
    .get('/:token/download', async ({ params, request }) => {
      await limit(request, params.token);
      return asFile(await downloadYourDetails(deps, params.token));
    })
    .post(
      '/:token',
      async ({ params, body, request }) => {
        await limit(request, params.token);
        return ok(await askAboutDetails(deps, params.token, body, contextOf(request).id));
      },
      { body: Ask },
    );
}

/** The buttons of the page, as plain forms with the same fields: they lead back to the page by 303. GET never acts. */
export function yourDetailsPages(deps: Deps) {
  const limit = detailsLimit(deps);
  return new Elysia({ name: 'your-details-pages' }).post('/your-details/:token', ({ params, request }) => {
    const ask = postedAsk(request);
    return redirectAfterPost(deps, request, async () => {
      await limit(request, params.token);
      await askAboutDetails(deps, params.token, ask, contextOf(request).id);
    });
  });
}

function detailsLimit(deps: Deps): (request: Request, token: string) => Promise<void> {
  const perClient = answerLimit(deps);
  const perLink = sharedLimiter(deps, PER_LINK);
  return async (request, token) => {
    await perClient(request);
    await perLink.consume(linkKey(token));
  };
}

/** Line breaks of a form are CR and LF, and count as one character. */
function postedAsk(request: Request): DetailsAsk {
  const body = (contextOf(request).body ?? {}) as Readonly<Record<string, unknown>>;
  const text = typeof body['text'] === 'string' ? body['text'].replaceAll('\r\n', '\n') : undefined;
  const ask = Ask({ ask: body['ask'], ...(text !== undefined && { text }) });
  if (ask instanceof type.errors) throw badRequest('Ask for a correction or the removal');
  return ask;
}

function asFile(content: object): Response {
  return new Response(`${JSON.stringify(content, null, 2)}\n`, {
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="my-request.json"',
      'cache-control': 'no-store',
    },
  });
}

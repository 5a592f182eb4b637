import { type } from 'arktype';
import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { badRequest, ok } from '#api/http/answers.ts';
import { answerLimit, redirectAfterPost } from '#api/http/button-posts.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { operation } from '#api/http/openapi/operation.ts';
import { contextOf, turnOf } from '#api/http/request-context.ts';
import { correctionLength } from '#core/values/job-form.ts';
import { countCharacters, isWellFormed, severalLines } from '#core/values/text.ts';
import {
  askAboutDetails,
  type DetailsAsk,
  downloadYourDetails,
  linkKey,
  readYourDetails,
  yourRecordMaker,
} from './your-details.ts';

/** Presses of one link in an hour: it may be in more hands than one client's. */
const PER_LINK = { name: 'details-link', points: 60, seconds: 3600 };

const Text = type('string').narrow((text, ctx) => {
  if (!isWellFormed(text)) return ctx.mustBe('plain text');
  return (
    countCharacters(severalLines(text).trim()) <= correctionLength ||
    ctx.mustBe(`at most ${correctionLength} characters`)
  );
});
const Ask = type({ '+': 'reject', ask: "'correction'", text: Text }).or({
  '+': 'reject',
  ask: "'removal' | 'keep'",
});

/**
 * The customer's "Your details" of one job; the token is all that it takes. GET /your-details/{token} → `YourDetails` · GET
 * …/download: the same as a file, with every field · POST …/{token} { ask, text } → `YourDetails`: asks for a correction
 * or the removal, or keeps the details after all · POST …/{token}/record → { fileName, record }: a signed record of the job, noted in its
 * history. A token that opens nothing is 404, as are file and record once the details are removed; to ask is 409 then.
 */
export function yourDetailsRoutes(deps: Deps) {
  const limit = detailsLimit(deps);
  const makeRecord = yourRecordMaker(deps);
  return new Elysia({ name: 'your-details', prefix: '/your-details' })
    .get('/:token', async ({ params }) => ok(await readYourDetails(deps, params.token)), {
      detail: operation('Intake', 'getYourDetails', 'What is held about the customer of a request', {
        access: 'open',
      }),
    })
    .get(
      '/:token/download',
      async ({ params, request }) => {
        await limit(request, params.token);
        const details = await downloadYourDetails(deps, params.token);
        return asFile(`${JSON.stringify(details, null, 2)}\n`, 'my-request.json');
      },
      {
        detail: operation('Intake', 'downloadYourDetails', 'The same as a file, with every field', {
          access: 'open',
          media: ['application/octet-stream'],
        }),
      },
    )
    .post(
      '/:token',
      async ({ params, body, request }) => {
        await limit(request, params.token);
        return ok(await askAboutDetails(deps, params.token, body, contextOf(request).id));
      },
      {
        body: Ask,
        detail: operation('Intake', 'askAboutYourDetails', 'Asks for a correction or the removal', {
          access: 'open',
        }),
      },
    )
    .post(
      '/:token/record',
      async ({ params, request }) => {
        await limit(request, params.token);
        return ok(await makeRecord(params.token, contextOf(request).id, turnOf(deps, request)));
      },
      {
        body: type({ '+': 'reject' }).or('null'),
        detail: operation('Intake', 'makeYourRecord', 'Makes a signed record of the job for its customer', {
          access: 'open',
          description: recordText,
        }),
      },
    );
}

const recordText =
  'Answers `record`, the text of a file that is handed over as it is, byte for byte, and its name. What the customer sent is open in it, what the business wrote is not: `core/proof/FORMAT.md`. Ten a day for a job; the history of the job names each of them. 503 with Retry-After where no process signs.';

/**
 * The buttons of the page, as plain forms with the same fields: they lead back to the page by 303, but that of the record, which is a file.
 * GET never acts.
 */
export function yourDetailsPages(deps: Deps) {
  const limit = detailsLimit(deps);
  const makeRecord = yourRecordMaker(deps);
  return new Elysia({ name: 'your-details-pages' }).post('/your-details/:token', ({ params, request }) => {
    const { token } = params;
    const { id, body } = contextOf(request);
    const wanted = Object(body).ask === 'record' ? 'record' : postedAsk(request);
    const work = async () => {
      await limit(request, token);
      if (wanted !== 'record') return askAboutDetails(deps, token, wanted, id);
      const { fileName, record } = await makeRecord(token, id, turnOf(deps, request));
      return asFile(record, fileName);
    };
    const isCorrection = wanted !== 'record' && wanted.ask === 'correction';
    return redirectAfterPost(deps, request, work, {
      done: isCorrection ? '#your-correction' : '#your-removal',
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

function asFile(content: string, name: string): Response {
  return new Response(content, {
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    },
  });
}

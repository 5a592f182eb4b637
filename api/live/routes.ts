import { type } from 'arktype';
import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { unavailable } from '#api/http/answers.ts';
import { auth } from '#api/http/auth.ts';
import { operation } from '#api/http/openapi/operation.ts';
import { textParameter } from '#api/http/validation.ts';
import { createLiveHub, resync } from './live-hub.ts';
import { rememberChanges } from './recent-changes.ts';

/** An age that is none may be any: what changed may have been missed. */
const ageOf = (text: string) => (Number(text) >= 0 ? Number(text) : Number.POSITIVE_INFINITY);
const Reader = type({
  'age?': textParameter('Milliseconds since the reader last read: what changed meanwhile is a `resync`').pipe(
    ageOf,
    type('number >= 0'),
  ),
});

/**
 * GET /live?age, with a bearer token: `event: change`, `data: {"kind","id","position"}`, `id: <position>` for each change of
 * the business's read models; `event: resync` when some may have been missed; a comment every 15 s. Ends when the session
 * does. Carries no content: refetch. `age` is for how many milliseconds the reader has been asking already: what changed
 * meanwhile is a resync too. Without it nothing is sent of the time before.
 */
export function liveRoutes(deps: Deps) {
  const hub = createLiveHub(deps);
  const recent = rememberChanges(deps.readSide);
  return new Elysia({ name: 'live' }).use(auth(deps)).get(
    '/live',
    ({ session, query, request }) => {
      if (deps.stopping?.aborted) throw unavailable();
      const stream = hub.open(session);
      if (query.age !== undefined && recent.mayHaveChanged(session.businessId, query.age)) {
        stream.send(resync());
      }
      request.signal.addEventListener('abort', () => stream.end());
      return new Response(stream.body, {
        headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' },
      });
    },
    {
      signedIn: true,
      query: Reader,
      detail: operation('Jobs', 'followChanges', 'What changes in the read models, as it happens', {
        media: ['text/event-stream'],
      }),
    },
  );
}

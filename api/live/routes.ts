import { type } from 'arktype';
import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { unavailable } from '#api/http/answers.ts';
import { auth } from '#api/http/auth.ts';
import { textParameter } from '#api/http/validation.ts';
import type { ReadSide } from '#projections/runtime/read-side/read-side.ts';
import { createLiveHub, resync } from './live-hub.ts';

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
    { signedIn: true, query: Reader },
  );
}

/** How far back changes are remembered, and what is added to the age of a page for the way of its question, in ms. */
const remembered = 60_000;
const onTheWay = 1_000;

export type RecentChanges = Readonly<{
  /** Whether a business's read models changed, or may have, in the last milliseconds. */
  mayHaveChanged(businessId: string, age: number): boolean;
}>;

/** Remembers when each business changed last, for pages that loaded before their live line was open. */
export function rememberChanges(
  readSide: Pick<ReadSide, 'onChange' | 'onGap'>,
  now: () => number = () => performance.now(),
): RecentChanges {
  /** The earliest first, as each change puts its business at the end. */
  const changedAt = new Map<string, number>();
  let knownSince = now();

  readSide.onGap(() => {
    knownSince = now();
  });
  readSide.onChange(({ businessId }) => {
    changedAt.delete(businessId);
    changedAt.set(businessId, now());
    for (const [earliest, at] of changedAt) {
      if (at >= now() - remembered) break;
      changedAt.delete(earliest);
    }
  });

  return {
    mayHaveChanged(businessId, age) {
      const since = now() - age - onTheWay;
      const isKnown = Number.isFinite(since) && since >= knownSince && since >= now() - remembered;
      return !isKnown || (changedAt.get(businessId) ?? Number.NEGATIVE_INFINITY) >= since;
    },
  };
}

import { type } from 'arktype';
import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { ok } from '#api/http/answers.ts';
import { addressKey } from '#api/http/client-address.ts';
import { localLimiter } from '#api/http/limits.ts';
import { operation } from '#api/http/openapi/operation.ts';
import { contextOf } from '#api/http/request-context.ts';

const SECONDS = 600;

/** Shapes that cannot carry a person's words: a reference, a route of the site, a hash. */
const ClientError = type({
  '+': 'reject',
  ref: /^[A-Za-z0-9-]{1,64}$/,
  route: /^\/[A-Za-z0-9/:_-]{0,200}$/,
  stackHash: /^[0-9a-f]{8,64}$/,
});

/** POST /client-errors { ref, route, stackHash }: the fallback error page tells the team, through the log. */
export function clientErrorRoutes(deps: Deps) {
  const perClient = localLimiter(deps, { name: 'client-errors', points: 20, seconds: SECONDS });
  return new Elysia({ name: 'client-errors' }).post(
    '/client-errors',
    async ({ body: { ref, route, stackHash }, request }) => {
      await perClient.consume(addressKey(contextOf(request).ip));
      deps.logger.error({ event: 'client-error', ref, route, stackHash });
      return ok();
    },
    {
      body: ClientError,
      detail: operation('Installation', 'reportClientError', 'Takes the report of an error in a browser', {
        access: 'open',
        conflicts: false,
      }),
    },
  );
}

/** GET /map-tiles → { tiles: { url, attribution } | null }: null where the site draws its own map. Open to all. */
export function mapTileRoutes({ config }: Deps) {
  return new Elysia({ name: 'map-tiles' }).get('/map-tiles', () => ok({ tiles: config.tiles }), {
    detail: operation('Installation', 'getMapTiles', 'Where the map has its tiles from', { access: 'open' }),
  });
}

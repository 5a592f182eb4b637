import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { ok } from '#api/http/errors.ts';

/** GET /map-tiles → { tiles: { url, attribution } | null }: null where the site draws its own map. Open to all. */
export function mapTileRoutes({ config }: Deps) {
  return new Elysia({ name: 'map-tiles' }).get('/map-tiles', () => ok({ tiles: config.tiles }));
}

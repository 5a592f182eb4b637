import { expect, test } from 'vitest';
import { testApp } from '#tests/support/app/api.ts';

test('any client may ask whose tiles the map has: none, until some are named', async () => {
  const own = await testApp();
  expect((await own.get('/api/map-tiles')).body).toEqual({ status: 'ok', tiles: null });
  await own.close();
  const url = 'https://tiles.example/{z}/{x}/{y}.png';
  const named = await testApp({ env: { TILES_URL: url, TILES_ATTRIBUTION: '© Tiles Ltd' } });
  expect((await named.get('/api/map-tiles')).body.tiles).toEqual({ url, attribution: '© Tiles Ltd' });
  await named.close();
});

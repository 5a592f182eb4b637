import { expect, test } from 'vitest';
import { EnvironmentReader } from './environment-reader.ts';
import { readTileSettings, tileOrigin } from './tiles.ts';

function read(env: Record<string, string>) {
  const reader = new EnvironmentReader(env);
  return reader.finish(readTileSettings(reader));
}
const url = 'https://{s}.tiles.example/{z}/{x}/{y}.png?key=abc';

test('the site draws its own map until tiles are named, with what is to be read on them', () => {
  expect(read({})).toBeNull();
  expect(read({ TILES_URL: url, TILES_ATTRIBUTION: '© Tiles Ltd' })).toEqual({
    ...{ url, attribution: '© Tiles Ltd' },
  });
});

test.each([
  { TILES_URL: url },
  { TILES_ATTRIBUTION: '© Tiles Ltd' },
  { TILES_URL: 'https://tiles.example/{z}/{x}.png', TILES_ATTRIBUTION: '©' },
  { TILES_URL: 'javascript:{z}{x}{y}', TILES_ATTRIBUTION: '©' },
  { TILES_URL: 'https://tiles.example/{z}/{x}/{y}; script-src *', TILES_ATTRIBUTION: '©' },
])('%j is refused', (env) => {
  expect(() => read(env)).toThrow(/TILES_URL/);
});

test('a content policy gets the origin alone, for every host that {s} stands for', () => {
  expect(tileOrigin({ url, attribution: '' })).toBe('https://*.tiles.example');
  expect(tileOrigin({ url: 'http://10.0.0.7:8080/{z}/{x}/{y}', attribution: '' })).toBe(
    'http://10.0.0.7:8080',
  );
});

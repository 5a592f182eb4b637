import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import {
  bomb,
  damagedPictures,
  dataUrl,
  hostileScript,
  jpeg,
  noPictures,
  png,
  polyglots,
  secretOfCamera,
  webp,
  withExif,
} from '#tests/support/scenarios/files.ts';

const WRONG_TYPE = 'Use a PNG, JPEG or WebP image';
const DAMAGED = 'This image is damaged, please use another one';

let api: TestApp;
let acme: SignedIn;
let starter: SignedIn;
beforeAll(async () => {
  api = await testApp();
  [acme, starter] = [await api.signIn({ plan: 'plus' }), await api.signIn()];
});
beforeEach(async () => {
  await acme.put('/api/settings/branding', { logo: null });
});
afterAll(() => api?.close());

const brand = (body: object, who = acme) => who.put('/api/settings/branding', body);
const logoNow = async (who = acme) => (await who.get('/api/authenticate')).body.user.logo as string | null;
const filesStored = async () => {
  const { rows } = await api.deps.db.query<{ id: string; expires_at: Date | null }>(
    'select * from state.files',
  );
  return rows;
};

describe('a logo', () => {
  test.each([
    ['PNG', async () => png(900, 600)],
    ['JPEG', async () => jpeg(900, 600)],
    ['WebP', async () => webp(900, 600)],
  ] as const)('that is a %s is shown as a WebP of at most 512 pixels', async (_, picture) => {
    const answer = await brand({ logo: dataUrl(await picture()) });
    expect(answer.status).toBe(200);
    const { logo } = answer.body.details;
    expect(logo).toMatch(/^\/logos\/[A-Za-z0-9_-]{32}$/);
    expect(await logoNow()).toBe(logo);
    const shown = await api.open(logo);
    expect(shown.headers.get('content-type')).toBe('image/webp');
    const { width, height, format } = await new Bun.Image(await shown.bytes()).metadata();
    expect({ width, height, format }).toEqual({ width: 512, height: 341, format: 'webp' });
  });

  test('is served to everybody, for ever, and runs nothing', async () => {
    const { logo } = (await brand({ logo: dataUrl(png(60, 40)) })).body.details;
    const { status, headers } = await api.get(logo);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).toContain('sandbox');
    const head = await api.send('HEAD', logo);
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers.get('content-length')).toBe(headers.get('content-length'));
  });

  test('that is not there, or was never ours, is not found', async () => {
    for (const key of ['A'.repeat(32), 'x', '..%2F..%2Fetc%2Fpasswd', '%00', `${'A'.repeat(32)}.webp`]) {
      expect([404, 400]).toContain((await api.get(`/logos/${key}`)).status);
    }
  });

  test('keeps nothing that the camera wrote, and nothing behind the picture', async () => {
    const pictures = [withExif(await jpeg(80, 60)), ...(await polyglots()).map(({ bytes }) => bytes)];
    for (const bytes of pictures) {
      const { logo } = (await brand({ logo: dataUrl(bytes, 'image/jpeg') })).body.details;
      const shown = await api.open(logo);
      const stored = Buffer.from(await shown.bytes());
      expect(stored.includes(secretOfCamera)).toBe(false);
      expect(stored.includes(hostileScript)).toBe(false);
    }
  });

  test('goes when the owner wants none, and stays when only the colour changes', async () => {
    const { logo } = (await brand({ logo: dataUrl(png(60, 40)) })).body.details;
    expect((await brand({ theme: '#C21313' })).body.details).toMatchObject({ theme: '#C21313', logo });
    expect((await brand({ logo: null })).body.details.logo).toBeNull();
    expect(await logoNow()).toBeNull();
  });

  test('is stored alone: those before it go in a day', async () => {
    const first = (await brand({ logo: dataUrl(png(60, 40)) })).body.details.logo as string;
    const second = (await brand({ logo: dataUrl(png(61, 40)) })).body.details.logo as string;
    const rows = await filesStored();
    const expires = (path: string) => rows.find(({ id }) => path.endsWith(id))?.expires_at;
    expect(expires(first)).toBeInstanceOf(Date);
    expect(expires(second)).toBeNull();
  });
});

describe('no logo is', () => {
  test.each(noPictures)('$name, whatever it calls itself', async ({ bytes }) => {
    for (const type of ['image/png', 'image/svg+xml', 'text/html']) {
      const answer = await brand({ logo: dataUrl(bytes, type) });
      expect(answer).toMatchObject({ status: 422, body: { fields: { logo: WRONG_TYPE } } });
    }
  });

  test('a picture that is damaged', async () => {
    for (const { name, bytes } of await damagedPictures()) {
      const { status, body } = await brand({ logo: dataUrl(bytes) });
      expect({ status, fields: body.fields }, name).toEqual({ status: 422, fields: { logo: DAMAGED } });
    }
  });

  test('a bomb, and other answers go on meanwhile', async () => {
    const before = process.memoryUsage().rss;
    const bombs = Array.from({ length: 4 }, () => brand({ logo: dataUrl(bomb.bytes) }));
    expect((await acme.get('/api/authenticate')).status).toBe(200);
    for (const { status, body } of await Promise.all(bombs)) {
      expect(status).toBe(422);
      expect(body.fields.logo).toBe('This image is too large, please use a smaller one');
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });

  test.each([
    ['3 MiB', 3 * 1024 * 1024],
    ['a byte above 2 MiB', 2 * 1024 * 1024 + 1],
    ['20 MiB', 20 * 1024 * 1024],
  ])('%s', async (_, size) => {
    const large = new Uint8Array(size);
    large.set(png(8, 8));
    const { status, body } = await brand({ logo: dataUrl(large) });
    expect(status).toBe(413);
    expect(body).toMatchObject({ status: 'error', message: 'Use an image of at most 2 MB' });
  });

  test.each([
    ...['', 'data:', 'data:image/png;base64,', 'data:image/png;base64,***', 'data:image/svg+xml;utf8,<svg/>'],
    ...['https://evil.example/logo.png', 'javascript:alert(1)', '/logos/x', `blob:${'x'.repeat(100)}`],
  ])('the text %j', async (logo) => {
    expect(await brand({ logo })).toMatchObject({ status: 422, body: { fields: { logo: WRONG_TYPE } } });
  });

  test('what a starter sends, though it may have a colour and an address', async () => {
    const refused = await brand({ logo: dataUrl(png(8, 8)) }, starter);
    expect(refused).toMatchObject({ status: 409, body: { message: 'Your plan does not include a logo' } });
    expect((await brand({ theme: '#5C9B61', logo: null }, starter)).body.details).toMatchObject({
      ...{ theme: '#5C9B61', logo: null },
    });
    expect(await logoNow(starter)).toBeNull();
  });

  test('stored of all these', async () => {
    const folders = await filesStored();
    await brand({ logo: dataUrl(noPictures[0]?.bytes ?? new Uint8Array()) });
    expect(await filesStored()).toHaveLength(folders.length);
  });
});

test.each(['red', '#c21313', '#C21313;background:url(//evil.example)', '', 7, null])(
  'the colour %j is none of the eight',
  async (theme) => {
    const { status, body } = await brand({ theme });
    expect({ status, theme: body.fields.theme }).toEqual({
      status: 422,
      theme: 'Choose one of the colours',
    });
  },
);

test.each([
  ...[{ plan: 'pro' }, { businessId: 'x' }, { type: 'pro' }, { brandedAt: '2020-01-01T00:00:00.000Z' }],
  ...[{ intro: 'x' }, { __proto__x: 1 }],
])('%j is nothing that a browser may say here', async (extra) => {
  const before = await api.deps.store.head();
  expect((await brand({ theme: '#1D1B1B', ...extra })).status).toBe(422);
  expect(await api.deps.store.head()).toBe(before);
});

test('what changes nothing is no event', async () => {
  await brand({ theme: '#626367' });
  const before = await api.deps.store.head();
  expect((await brand({ theme: '#626367' })).status).toBe(200);
  expect((await brand({})).status).toBe(200);
  expect(await api.deps.store.head()).toBe(before);
});

test('no client changes the branding without a session', async () => {
  expect((await api.put('/api/settings/branding', { theme: '#626367' })).status).toBe(403);
});

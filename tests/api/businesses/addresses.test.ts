import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { begin } from '#tests/support/scenarios/registrations.ts';
import { type ProviderServer, providerServer } from '#tests/support/servers/providers.ts';

let app: TestApp;
let acme: SignedIn;
beforeAll(async () => {
  app = await testApp();
  acme = await app.signIn();
});
afterAll(() => app?.close());

test.each(['/api/addresses', '/api/registration/address'])(
  '%s suggests addresses and answers the chosen one',
  async (path) => {
    const { status, body } = await acme.get(`${path}?q=12 smith st fitz&token=abc-1`);
    expect(status).toBe(200);
    const [first] = body.addresses;
    expect(first.address).toBe('12 Smith Street, Fitzroy VIC, Australia');
    const chosen = await acme.get(`${path}/${encodeURIComponent(first.id)}?token=abc-1`);
    expect(chosen.body.address).toMatchObject({
      placeId: first.id,
      formatted_address: first.address,
      precision: 'locality',
    });
    expect((await acme.get(`${path}?q=12`)).body).toEqual({ status: 'ok', addresses: [] });
    expect((await acme.get(`${path}/unknown`)).status).toBe(404);
    expect((await acme.get(`${path}?q=${'x'.repeat(201)}`)).status).toBe(422);
    expect((await acme.get(`${path}?q=12 smith&token=a b`)).status).toBe(422);
  },
);

test('the public form suggests the same to any client, for a form that there is', async () => {
  const path = `/api/public-forms/${acme.slug}/addresses`;
  const { body } = await app.get(`${path}?q=12 smith st fitz&token=abc-1`);
  const [first] = body.addresses;
  expect(first.address).toBe('12 Smith Street, Fitzroy VIC, Australia');
  const chosen = await app.get(`${path}/${encodeURIComponent(first.id)}?token=abc-1`);
  expect(chosen.body.address).toMatchObject({ placeId: first.id, formatted_address: first.address });
  expect((await app.get('/api/public-forms/nobody/addresses?q=12 smith st')).status).toBe(404);
});

test('the form of the signed-in needs a session, the one of the wizard a registration', async () => {
  expect((await app.get('/api/addresses?q=12 smith st')).status).toBe(403);
  const path = '/api/registration/address?q=12 smith st';
  expect((await app.get(path)).status).toBe(401);
  expect((await (await begin(app)).get(path)).status).toBe(200);
});

test('a provider that fails is an outage of suggestions, and its key is not logged', async () => {
  const provider: ProviderServer = providerServer(() => new Response('no', { status: 500 }));
  const lines: string[] = [];
  const env = { ADDRESSES: 'google', GOOGLE_PLACES_KEY: 'very-secret-key', ADDRESSES_URL: provider.url };
  const broken = await testApp({ env, log: (line) => lines.push(line) });
  try {
    const registering = await begin(broken);
    const answer = await registering.get('/api/registration/address?q=12 smith st');
    expect(answer).toMatchObject({
      ...{ status: 503, body: { message: 'Address suggestions are not available just now' } },
    });
    expect(answer.headers.get('retry-after')).toBe('30');
    expect(lines.join('')).toContain('provider-failed');
    expect(lines.join('')).not.toMatch(/very-secret-key|smith/);
  } finally {
    await broken.close();
    await provider.stop();
  }
});

test('a client that asks without end is answered to wait', async () => {
  const limited = await testApp({ env: { RATE_LIMITS: 'on' } });
  try {
    const registering = await begin(limited);
    const ask = () => registering.get('/api/registration/address?q=12');
    const answers = [];
    for (let n = 0; n < 301; n += 1) answers.push((await ask()).status);
    expect(answers.filter((status) => status === 200)).toHaveLength(300);
    expect(answers.at(-1)).toBe(429);
  } finally {
    await limited.close();
  }
});

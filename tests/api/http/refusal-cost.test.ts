import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { REFUSAL_COST, refusalCost, worstBodies } from '#tests/support/app/refusal-cost.ts';

let api: TestApp;
let acme: SignedIn;
beforeAll(async () => {
  api = await testApp();
  acme = await api.signIn({ plan: 'plus' });
});
afterAll(() => api?.close());

const login = ['email', 'password', 'rememberMe'];
const request = [
  'name',
  'email',
  'phone',
  'address',
  'title',
  'description',
  'wishedTime',
  'answers',
  'media',
];
const report = ['ref', 'route', 'stackHash'];

/** Routes that ask no session before they validate: what anyone may send. */
const open = [
  ['/api/authenticate/login', login],
  ['/api/public-forms/acme/jobs', request],
  ['/api/client-errors', report],
] as const;

async function costOf(path: string, body: string, statuses: number[]): Promise<number> {
  const send = (sent: Uint8Array<ArrayBuffer>) =>
    api.app.handle(
      new Request(`http://localhost${path}`, {
        method: 'POST',
        body: sent,
        headers: { 'content-type': 'application/json' },
      }),
    );
  const [plain, worst] = ['{"unknown":1}', body].map((text) => new TextEncoder().encode(text));
  if (!plain || !worst) throw new TypeError('nothing to send');
  expect(statuses).toContain((await send(worst)).status);
  return refusalCost(
    () => send(plain),
    () => send(worst),
  );
}

describe.each(open)('POST %s refuses for at most twenty times a plain refusal', (path, fields) => {
  test.each(worstBodies(fields))('%s', async (_name, body) => {
    const cost = await costOf(path, body, [400, 401, 404, 422]);
    expect(cost).toBeLessThan(REFUSAL_COST);
  });
});

test('a part of a form whose head is mostly spaces is refused as cheaply as one without a name', async () => {
  const send = (head: string) =>
    api.send('POST', `/t/${acme.slug}`, {
      body: `--x\r\ncontent-disposition: form-data${head}\r\n\r\n1\r\n--x--\r\n`,
      headers: { 'content-type': 'multipart/form-data; boundary=x', 'sec-fetch-site': 'same-origin' },
    });
  const spaces = `; name="a"${' '.repeat(1_900)}x`;
  expect((await send(spaces)).status).toBe(400);
  const cost = await refusalCost(
    () => send(''),
    () => send(spaces),
  );
  // The route reads the database first: beside that, even 2 KiB of spaces are little.
  expect(cost).toBeLessThan(3);
});

test('a refusal names the first problems and no more, and repeats nothing', async () => {
  const fields = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`secret${n}`, 'marker-4d1c']));
  const answer = await acme.put('/api/settings/branding', fields);
  expect(answer.status).toBe(422);
  expect(Object.keys(answer.body.fields).length).toBeLessThanOrEqual(20);
  expect(answer.text).not.toMatch(/marker|secret/);
});

test('every schema of a route refuses by itself, so that Elysia writes no report', () => {
  const schemas = api.app.routes.flatMap(({ hooks }) => {
    const { body, query, params, headers } = hooks as Record<string, Standard | undefined>;
    return [body, query, params, headers].filter((schema) => schema !== undefined);
  });
  expect(schemas.length).toBeGreaterThan(25);
  for (const schema of schemas) {
    // No schema of a request takes a number in its place.
    expect(() => schema['~standard'].validate(7)).toThrow(expect.objectContaining({ status: 422 }));
  }
});

type Standard = { '~standard': { validate(value: unknown): unknown } };

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { openRoutes, spacesForm, worstBodies } from '#tests/support/operations/worst-bodies.ts';

let api: TestApp;
let acme: SignedIn;
beforeAll(async () => {
  api = await testApp();
  acme = await api.signIn({ plan: 'plus' });
});
afterAll(() => api?.close());

describe.each(openRoutes)('POST %s', (path, fields) => {
  test.each(worstBodies(fields))('refuses %s', async (_name, body) => {
    const { status } = await api.send('POST', path, {
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect([400, 401, 404, 422]).toContain(status);
  });
});

test('a part of a form whose head is mostly spaces is refused', async () => {
  const { body, type } = spacesForm();
  const answer = await api.send('POST', `/t/${acme.slug}`, {
    body,
    headers: { 'content-type': type, 'sec-fetch-site': 'same-origin' },
  });
  expect(answer.status).toBe(400);
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

import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyVariables } from '#api/runtime/config/keys.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { type Ran, runUte } from '#tests/support/processes/processes.ts';
import { dataUrl, png } from '#tests/support/scenarios/files.ts';

const folder = tempFolder('plan');
let api: TestApp;
let acme: SignedIn;
beforeAll(async () => {
  api = await testApp();
  acme = await api.signIn();
});
afterAll(async () => {
  await api?.close();
  folder.remove();
});

function plan(...words: string[]): Promise<Ran> {
  const keys = Object.entries(keyVariables).map(([purpose, variable]) => {
    return [variable, api.deps.config.keys[purpose as keyof typeof keyVariables].toString('base64')];
  });
  const environment = { ...Object.fromEntries(keys), DATABASE_URL: api.databaseUrl, DATA_DIR: folder.path };
  return runUte(environment, 'plan', ...words);
}
const user = async () => {
  await api.settle();
  return (await acme.get('/api/authenticate')).body.user;
};
const brand = (body: object) => acme.put('/api/settings/branding', body);

test('a business is put on another plan, and may do at once what that plan may', async () => {
  const logo = dataUrl(png(40, 30));
  expect((await brand({ logo })).status).toBe(409);
  expect(await plan('set', acme.slug, 'plus')).toEqual({
    out: `${acme.slug} is now on plus\n`,
    err: '',
    code: 0,
  });
  expect(await user()).toMatchObject({ type: 'plus', rules: { logo: true, reviews: true } });
  expect((await brand({ logo })).status).toBe(200);
  expect(await plan('set', acme.slug.toUpperCase(), 'plus')).toMatchObject({
    ...{ out: `${acme.slug} is already on plus\n`, code: 0 },
  });
});

test('a plan without a logo takes it away, and its file goes in a day', async () => {
  expect((await user()).logo).toMatch(/^\/logos\//);
  expect(await plan('set', acme.slug, 'starter')).toEqual({
    out: `${acme.slug} is now on starter\nits logo was taken away, because starter includes none\n`,
    err: '',
    code: 0,
  });
  expect(await user()).toMatchObject({ type: 'starter', logo: null, rules: { logo: false } });
  const { rows } = await api.deps.db.query('select 1 from state.files where expires_at is null');
  expect(rows).toEqual([]);
});

test.each([
  [['set', 'nobody-here', 'pro'], 'There is no business with this address.'],
  [['set', 'acme', 'gold'], 'starter, plus, pro'],
  [['set', 'acme'], "missing required argument 'plan'"],
])('%j is refused in a line', async (words, line) => {
  const { code, err, out } = await plan(...words);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toContain(line);
});

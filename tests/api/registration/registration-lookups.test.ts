import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sandboxEntities } from '#api/providers/business-register/sandbox-entities.ts';
import { trades } from '#core/values/trade-catalogue.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import type { Client } from '#tests/support/app/api-client.ts';
import { begin } from '#tests/support/scenarios/registrations.ts';

let api: TestApp;
let acme: SignedIn;
let client: Client;
beforeAll(async () => {
  api = await testApp();
  acme = await api.signIn();
  client = await begin(api);
});
afterAll(() => api?.close());

describe('lookups', () => {
  const get = (path: string) => client.get(`/api/registration${path}`);

  test('are for who registers or is signed in', async () => {
    for (const path of ['/bn?q=banksia&r=au', '/postcode?postcode=3056', '/address?q=12 smith st']) {
      expect((await api.get(`/api/registration${path}`)).status).toBe(401);
      expect((await acme.get(`/api/registration${path}`)).status).toBe(200);
      expect((await get(path)).status).toBe(200);
      const dead = await api
        .as({ authorization: `Bearer ${'x'.repeat(40)}` })
        .get(`/api/registration${path}`);
      expect(dead.status).toBe(403);
    }
    expect((await api.get('/api/registration/trades')).status).toBe(200);
  });

  test('a business is found by the beginning of its words or by its number, from 3 characters on', async () => {
    const found = async (q: string, r = 'au') =>
      (await get(`/bn?q=${encodeURIComponent(q)}&r=${r}`)).body.entities.map(
        ({ name }: { name: string }) => name,
      );
    expect(await found('banksia pl')).toEqual(['Banksia Plumbing Pty Ltd']);
    expect(await found('kowhai', 'nz')).toEqual(['Kōwhai Cleaning Limited']);
    expect(await found('kowhai')).toEqual([]);
    expect(await found('ba')).toEqual([]);
    expect(await found('')).toEqual([]);
    const [banksia] = sandboxEntities.au;
    expect(await found(banksia?.bn ?? '')).toEqual(['Banksia Plumbing Pty Ltd']);
    expect(await found('%')).toEqual([]);
  });

  test('a number answers its business, in its own country alone', async () => {
    const [banksia] = sandboxEntities.au;
    const ask = (body: object) => client.post('/api/registration/bn', body);
    const spaced = banksia?.bn.replace(/(\d{2})(\d{3})(\d{3})/, '$1 $2 $3 ');
    expect((await ask({ bn: spaced, r: 'au' })).body.entity).toEqual(banksia);
    expect((await ask({ bn: spaced })).body.entity).toEqual(banksia);
    expect((await ask({ bn: spaced, r: 'nz' })).body.fields.bn).toBe('Enter a valid NZBN number');
    expect(await ask({ bn: '51 824 753 556' })).toMatchObject({
      ...{ status: 404, body: { message: "We couldn't find this company, please try again." } },
    });
    expect((await ask({ bn: '123' })).body.fields.bn).toBe('Enter a valid ABN number');
  });

  test('a postcode answers a place to begin a map with', async () => {
    const { location } = (await get('/postcode?postcode=7000&region=au')).body;
    expect(location).toMatchObject({
      name: 'Hobart',
      state: 'TAS',
      radius: 15_000,
      zoom: 10,
      precision: 'area',
    });
    expect((await get('/postcode?postcode=8011&region=nz')).body.location.name).toBe('Christchurch');
    expect(await get('/postcode?postcode=0001')).toMatchObject({
      ...{ status: 404, body: { message: "We couldn't find address for this company" } },
    });
    for (const wrong of ['postcode=30', 'postcode=', '', 'postcode=3056&region=fj']) {
      expect((await get(`/postcode?${wrong}`)).status).toBe(422);
    }
  });

  test('the trades are those of the catalogue', async () => {
    const { body } = await get('/trades');
    expect(body.trades).toHaveLength(trades.length);
    expect(body.trades[0]).toEqual({
      ...{ id: 'plumbing', name: 'Plumbing services', specialties: trades[0]?.specialties },
    });
  });
});

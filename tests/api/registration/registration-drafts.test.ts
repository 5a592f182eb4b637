import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '#api/app.ts';
import { registrationIdOf } from '#api/registration/load-registration.ts';
import { createSubjectKeys } from '#core/event-store/subject-keys.ts';
import { type TestApp, testApp } from '#tests/support/app/api.ts';
import { apiClient } from '#tests/support/app/api-client.ts';
import {
  answerSteps,
  aRegistrant,
  begin,
  readyToComplete,
  storedDraft,
} from '#tests/support/scenarios/registrations.ts';

let api: TestApp;
beforeAll(async () => {
  api = await testApp();
});
afterAll(() => api?.close());

const TRADIES = '/api/registration/tradies';

async function typesOf(rid: string): Promise<string[]> {
  const events = await api.deps.store.readStream(`registration-${registrationIdOf(rid)}`);
  return events.map(({ type }) => type);
}

async function rowOf(rid: string) {
  const { rows } = await api.everyRow.query<{ draft: Buffer | null; revision: number }>(
    'select draft, draft_revision as revision from state.registrations where registration_id = $1',
    [registrationIdOf(rid)],
  );
  return rows[0];
}

/** The API with a log that refuses so many appends. */
function failingLog(appends: number) {
  let left = appends;
  const { store } = api.deps;
  return createApp({
    ...api.deps,
    store: {
      ...store,
      append: (...args) => {
        left -= 1;
        return left < 0 ? store.append(...args) : Promise.reject(new Error('killed'));
      },
    },
  });
}

describe('the log tells the milestones of a registration', () => {
  test('each once, in the order of the wizard', async () => {
    const { client } = await readyToComplete(api);
    expect(await typesOf(client.rid)).toEqual([
      'RegistrationStarted',
      'RegistrationRegionChosen',
      'RegistrationTradesChosen',
      'RegistrationBusinessIdentified',
      'RegistrationAreaSet',
      'RegistrationEmailVerified',
      'RegistrationPhoneVerified',
      'RegistrationPasswordChosen',
      'RegistrationTermsAccepted',
    ]);
    expect((await client.post('/api/registration')).status).toBe(200);
    expect((await typesOf(client.rid)).at(-1)).toBe('RegistrationCompleted');
  });

  test('and nothing of what is half typed, or of Back and Next', async () => {
    const client = await begin(api);
    const half = { verify: { email: 'sam@', phone: '04' }, entity: { tradingName: 'Half a' } };
    const answer = await client.put(TRADIES, { step: 1, ...half });
    expect(answer.body.registration.verify).toMatchObject({ email: 'sam@', phone: '04' });
    await client.put(TRADIES, { step: 0 });
    expect((await client.get(TRADIES)).body.registration).toMatchObject({ step: 0, verify: half.verify });
    expect(await typesOf(client.rid)).toEqual(['RegistrationStarted']);
  });
});

describe('a draft in its table', () => {
  test('is sealed under its own key, and opens for no other draft', async () => {
    const one = await begin(api);
    const two = await begin(api);
    await answerSteps(one, aRegistrant());
    await answerSteps(two, aRegistrant());
    const row = await rowOf(one.rid);
    expect(row?.draft?.toString('latin1')).not.toMatch(/Fenwickton|plumbing/);
    await api.everyRow.query('update state.registrations set draft = $2 where registration_id = $1', [
      ...[registrationIdOf(two.rid), row?.draft],
    ]);
    expect((await two.get(TRADIES)).status).toBe(500);
    expect((await one.get(TRADIES)).status).toBe(200);
  });

  test('is gone once it is completed', async () => {
    const { client } = await storedDraft(api);
    expect((await rowOf(client.rid))?.draft).not.toBeNull();
    expect((await client.post('/api/registration')).status).toBe(200);
    expect((await rowOf(client.rid))?.draft).toBeNull();
  });

  test('is unknown once its person is erased', async () => {
    const { client, registrationId } = await storedDraft(api);
    expect((await client.get(TRADIES)).status).toBe(200);
    const { db, config } = api.deps;
    await api.deps.subjectKeys.destroy(`registration-${registrationId}`);
    expect((await client.get(TRADIES)).status).toBe(404);
    expect((await client.put(TRADIES, { step: 0 })).status).toBe(404);
    expect((await client.post('/api/registration')).status).toBe(404);
    const anew = createSubjectKeys({ pool: db, dataKey: config.keys.data });
    expect(await anew.find([`registration-${registrationId}`])).toEqual(
      new Map([[`registration-${registrationId}`, 'destroyed']]),
    );
  });
});

describe('two browsers with one draft', () => {
  test('change different answers at once, and each change is there', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { client, who } = await storedDraft(api);
      const answers = await Promise.all([
        client.put(TRADIES, { user: { firstName: 'Samira' } }),
        client.put(TRADIES, { location: { ...who.location, radius: 5_000 } }),
        client.put(TRADIES, { verify: { subscribe: false } }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect((await client.get(TRADIES)).body.registration).toMatchObject({
        user: { firstName: 'Samira', lastName: 'Fenwickton' },
        location: { radius: 5_000 },
        verify: { subscribe: false, emailVerified: true, phoneVerified: true },
      });
      expect((await client.post('/api/registration')).status).toBe(200);
    }
  });

  test('change it while it is completed: what is completed is one of the two drafts, and the log says which', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { client, registrationId } = await storedDraft(api);
      const [saved, completed] = await Promise.all([
        client.put(TRADIES, { user: { firstName: 'Samira' } }),
        client.post('/api/registration'),
      ]);
      expect([200, 404]).toContain(saved.status);
      expect([200, 409]).toContain(completed.status);
      if (completed.status === 409) expect((await client.post('/api/registration')).status).toBe(200);
      const events = await api.deps.store.readStream(`registration-${registrationId}`);
      const last = events.at(-1)?.event;
      if (last?.type !== 'RegistrationCompleted') throw new Error('it was not completed');
      if (saved.status === 200) expect(last.data.firstName).toBe('Samira');
      expect(events.filter(({ type }) => type === 'RegistrationCompleted')).toHaveLength(1);
    }
  });
});

describe('a change that is no milestone, made while another browser completes the draft,', () => {
  test('is not lost: the completion sees it', async () => {
    const { client, registrationId } = await storedDraft(api);
    const takeBack = () => client.put(TRADIES, { verify: { terms: false } });
    const completing = apiClient(createApp({ ...api.deps, db: atPassword(takeBack) }), {
      'x-rid': client.rid,
    });
    expect(await completing.post('/api/registration')).toMatchObject({ status: 409 });
    expect((await client.get(TRADIES)).body.registration.verify.terms).toBe(false);
    const events = await api.deps.store.readStream(`registration-${registrationId}`);
    expect(events.map(({ type }) => type)).not.toContain('RegistrationCompleted');
    expect((await client.post('/api/registration')).status).toBe(409);
    expect((await client.put(TRADIES, { verify: { terms: true } })).status).toBe(200);
    expect((await client.post('/api/registration')).status).toBe(200);
  });

  test('and another completion meanwhile is answered with the same account', async () => {
    const { client, who } = await storedDraft(api);
    const meanwhile = () => client.post('/api/registration');
    const completing = apiClient(createApp({ ...api.deps, db: atPassword(meanwhile) }), {
      'x-rid': client.rid,
    });
    const { status, body } = await completing.post('/api/registration');
    expect([status, body.user.email]).toEqual([200, who.email]);
  });

  /** The database, with one change made when a completion first asks for the password: after it loaded the draft. */
  function atPassword(change: () => Promise<{ status: number }>): Pool {
    let isDue = true;
    return new Proxy(api.deps.db, {
      get(pool, name) {
        const value = Reflect.get(pool, name);
        if (name !== 'query') return typeof value === 'function' ? value.bind(pool) : value;
        return async (...args: Parameters<Pool['query']>) => {
          if (isDue && String(args[0]).includes('from state.pending_credentials')) {
            isDue = false;
            expect((await change()).status).toBe(200);
          }
          return pool.query(...args);
        };
      },
    });
  }
});

describe('a process that ended between a draft and its milestones', () => {
  test('left the answers, and the next save records them', async () => {
    const { rid, ...client } = await begin(api);
    const dying = apiClient(failingLog(1), { 'x-rid': rid });
    expect((await dying.put(TRADIES, { step: 1, region: 'nz' })).status).toBe(500);
    expect((await client.get(TRADIES)).body.registration).toMatchObject({ step: 1, region: 'nz' });
    expect(await typesOf(rid)).toEqual(['RegistrationStarted']);
    expect((await client.put(TRADIES, { step: 1 })).status).toBe(200);
    expect(await typesOf(rid)).toEqual(['RegistrationStarted', 'RegistrationRegionChosen']);
  });

  test('left a draft that is completed all the same, with every milestone before its end', async () => {
    const { client } = await storedDraft(api);
    const dying = apiClient(failingLog(1), { 'x-rid': client.rid });
    expect((await dying.put(TRADIES, { user: { firstName: 'Samira' } })).status).toBe(500);
    expect((await client.post('/api/registration')).status).toBe(200);
    expect((await typesOf(client.rid)).slice(-2)).toEqual([
      'RegistrationBusinessIdentified',
      'RegistrationCompleted',
    ]);
  });
});

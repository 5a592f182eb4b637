import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keep } from '#api/accounts/reservations.ts';
import { type TestApp, testApp } from '#tests/support/app/api.ts';
import type { Answer } from '#tests/support/app/api-client.ts';
import {
  answerSteps,
  aRegistrant,
  begin,
  choosePassword,
  codeSentTo,
  storedDraft,
} from '#tests/support/scenarios/registrations.ts';

let api: TestApp;
const lines: string[] = [];
beforeAll(async () => {
  api = await testApp({ log: (line) => lines.push(line) });
});
afterAll(() => api?.close());

const TRADIES = '/api/registration/tradies';
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).toSorted();

describe('what is the server’s to say', () => {
  const claims: Record<string, object> = {
    rid: { rid: 'x'.repeat(43) },
    plan: { type: 'pro' },
    complete: { complete: true },
    'an email that is verified': { verify: { email: 'sam@free.example', emailVerified: true } },
    'a mobile that is verified': { verify: { phone: '0412 345 678', phoneVerified: true } },
    'a password that is there': { verify: { passwordSet: true, terms: true } },
    'a business that is registered': {
      entity: { bn: '', name: 'Mine', registered: true, status: 'Active', country: 'au', postcode: '3000' },
    },
  };

  test.each(Object.entries(claims))('changes nothing when a browser says it: %s', async (_what, claim) => {
    const client = await begin(api, 'plus');
    const before = (await client.get(TRADIES)).body.registration;
    const answer = await client.put(TRADIES, claim);
    expect(answer.status).toBe(200);
    expect(answer.body.registration).toMatchObject({
      ...{ rid: client.rid, type: 'plus', complete: false, entity: null },
      verify: { emailVerified: false, phoneVerified: false, passwordSet: false },
    });
    expect(answer.body.registration.step).toBe(before.step);
    expect((await client.post('/api/registration')).status).toBe(409);
  });

  test('is looked up anew: name, status and postcode of a business are the register’s', async () => {
    const who = aRegistrant();
    const client = await begin(api);
    const entity = { bn: who.bn, name: 'Mine', postcode: '9999', status: 'Best', tradingName: 'mine' };
    const { body } = await client.put(TRADIES, { region: 'au', entity });
    expect(body.registration.entity).toMatchObject({
      ...{ name: 'Banksia Plumbing Pty Ltd', postcode: '3056', status: 'Active', tradingName: 'mine' },
    });
  });

  test('a trading name with a link is refused, goes no further, and is not lost', async () => {
    const client = await begin(api);
    await answerSteps(client, aRegistrant());
    const entity = { bn: aRegistrant().bn, tradingName: 'Prizes at evil.com' };
    const refusal = {
      status: 409,
      body: { message: 'Use a name without a web or email address in it', step: 2 },
    };
    expect((await client.put(TRADIES, { step: 2, entity })).status).toBe(200);
    expect(await client.put(TRADIES, { step: 3 })).toMatchObject(refusal);
    expect(await client.post('/api/registration')).toMatchObject(refusal);
    expect((await client.get(TRADIES)).body.registration.entity.tradingName).toBe('Prizes at evil.com');
    expect((await client.put(TRADIES, { step: 1 })).status).toBe(200);
    const named = {
      entity: { ...entity, tradingName: 'Prizes' },
      user: { firstName: 'evil.top/pay', lastName: 'Walker' },
    };
    expect(await client.put(TRADIES, { step: 3, ...named })).toMatchObject(refusal);
  });

  test('a whole draft sent back as it came is the same draft', async () => {
    const who = aRegistrant();
    const client = await begin(api);
    await answerSteps(client, who);
    const { registration } = (await client.get(TRADIES)).body;
    const head = await api.deps.store.head();
    expect((await client.put(TRADIES, registration)).body.registration).toEqual(registration);
    expect(await api.deps.store.head()).toBe(head);
  });
});

describe('no step is skipped', () => {
  test.each([2, 3, 4, 5, 6])('by going to step %i at once', async (step) => {
    const client = await begin(api);
    expect(await client.put(TRADIES, { step })).toMatchObject({ status: 409, body: { step: 1 } });
  });

  const parts = ['trades', 'business', 'email', 'mobile', 'code', 'password', 'terms'] as const;
  test.each(parts)('a registration without its %s is not completed', async (missing) => {
    const who = aRegistrant();
    const client = await begin(api);
    const unless = async (part: (typeof parts)[number], work: () => Promise<unknown>) =>
      part === missing ? null : work();
    await unless('trades', () => client.put(TRADIES, { trades: [who.trade], specialties: [who.specialty] }));
    const names = { user: { firstName: 'Robin', lastName: 'Fenwickton' } };
    const entity = { bn: who.bn, tradingName: who.tradingName };
    await unless('business', () => client.put(TRADIES, { region: 'au', entity, ...names }));
    await client.put(TRADIES, { region: 'au', location: who.location });
    await unless('email', () => client.post('/api/registration/email/verify', { email: who.email }));
    await unless('mobile', () => client.post('/api/registration/phone/update', { phone: who.phone }));
    if (missing !== 'mobile' && missing !== 'code') {
      await client.post('/api/registration/sms/send');
      await client.post('/api/registration/sms/verify', { code: await codeSentTo(api, who.phone) });
    }
    await unless('password', () => client.put(TRADIES, { verify: { password: who.password } }));
    await unless('terms', () => client.put(TRADIES, { verify: { terms: true } }));
    const answer = await client.post('/api/registration');
    expect(answer).toMatchObject({
      ...{
        status: 409,
        body: { message: 'Please finish the steps before this one', step: expect.any(Number) },
      },
    });
  });
});

describe('of many at once', () => {
  test.each([
    ['email', "This email's already signed up."],
    ['phone', 'This mobile number is already in use'],
  ] as const)(
    'with one %s exactly one is completed',
    async (field, message) => {
      const shared = { [field]: aRegistrant()[field] };
      const drafts = await Promise.all(Array.from({ length: 50 }, () => storedDraft(api, shared)));
      const answers = await Promise.all(drafts.map(({ client }) => client.post('/api/registration')));
      expect(statuses(answers)).toEqual([200, ...Array<number>(49).fill(409)]);
      for (const { body, status } of answers) if (status === 409) expect(body.message).toBe(message);
    },
    240_000,
  );

  test('under one name each gets an address of its own', async () => {
    const named = { tradingName: 'Many Hands' };
    const drafts = await Promise.all(Array.from({ length: 20 }, () => storedDraft(api, named)));
    const answers = await Promise.all(drafts.map(({ client }) => client.post('/api/registration')));
    expect(statuses(answers)).toEqual(Array(20).fill(200));
    await api.settle();
    const slugs = await Promise.all(
      answers.map(async ({ body }) => {
        const signedIn = api.as({ authorization: `Bearer ${body.token}` });
        return (await signedIn.get('/api/authenticate')).body.user.slug;
      }),
    );
    expect(new Set(slugs).size).toBe(20);
    expect(slugs).toContain('many-hands');
    expect(slugs.every((slug) => /^many-hands(-[0-9a-f]+)?$/.test(slug))).toBe(true);
  }, 60_000);
});

test('password, code and secret are in no event, table or log line, and the draft’s person in none in the clear', async () => {
  const who = aRegistrant({ password: 'Marker#Password77' });
  const client = await begin(api);
  await answerSteps(client, who);
  await client.post('/api/registration/sms/send');
  const code = await codeSentTo(api, who.phone);
  await client.post('/api/registration/sms/verify', { code });
  await choosePassword(client, who);
  const draft = await client.get(TRADIES);
  expect(draft.text).not.toMatch(/Marker#Password77|argon2/);
  expect((await client.post('/api/registration')).status).toBe(200);
  await api.settle();
  const tables = await api.deps.db.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('state', 'event_store')`,
  );
  let stored = '';
  for (const { name } of tables.rows) {
    if (name === 'state.outbox_page') continue;
    const { rows } = await api.deps.db.query(`select to_jsonb(t)::text as row from ${name} t`);
    stored += rows.map(({ row }) => row).join('\n');
  }
  const logged = lines.join('');
  for (const secret of [who.password, client.rid, `"${code}"`]) {
    expect(stored).not.toContain(secret);
    expect(logged).not.toContain(secret);
  }
  for (const personal of [who.email, who.phone, who.phone.slice(3), 'Fenwickton']) {
    expect(stored).not.toContain(personal);
    expect(logged).not.toContain(personal);
  }
});

test('who keeps its reservations waits for who reserves them again, without what that one needs next', async () => {
  const { db } = api.deps;
  const owner = api.deps.newId();
  const keyOf = (kind: string) => Buffer.alloc(32, kind);
  // In the table the last kind comes first: a plain update takes rows as they lie.
  for (const kind of ['slug', 'mobile', 'email']) {
    await db.query(
      `insert into state.reservations (kind, key, skeleton, owner, status, expires_at)
       values ($1::text, $2::bytea, case $1::text when 'slug' then $2::bytea end, $3, 'held', now() + interval '1 hour')`,
      [kind, keyOf(kind), owner],
    );
  }
  const reserving = await db.connect();
  await reserving.query('begin');
  await reserving.query(`select from state.reservations where owner = $1 and kind = 'email' for update`, [
    owner,
  ]);
  const own = (['email', 'mobile', 'slug'] as const).map((kind) => ({
    ...{ kind, key: keyOf(kind) },
    ...(kind === 'slug' && { skeleton: keyOf(kind) }),
  }));
  const kept = keep(db, owner, own);
  try {
    await expect
      .poll(async () => {
        const { rows } = await api.everyRow.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rows.length;
      })
      .toBe(1);
    await reserving.query(`select from state.reservations where owner = $1 for update nowait`, [owner]);
  } finally {
    await reserving.query('commit');
    reserving.release();
  }
  await kept;
  const { rows } = await db.query(`select distinct status from state.reservations where owner = $1`, [owner]);
  expect(rows).toEqual([{ status: 'kept' }]);
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sendTestAlert } from '#api/businesses/notifications.ts';
import type { Delivery } from '#api/messages/deliver.ts';
import { deliverDue } from '#api/messages/sender.ts';
import { ProviderError } from '#api/providers/http-client.ts';
import { notificationNames, notificationToggles } from '#core/values/account.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { sentMail, sentSms, testDelivery } from '#tests/support/app/messages.ts';
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

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app?.close());

describe('branding', () => {
  const WRONG_TYPE = 'Use a PNG, JPEG or WebP image';
  const DAMAGED = 'This image is damaged, please use another one';

  let api: TestApp;
  let acme: SignedIn;
  let starter: SignedIn;
  beforeAll(async () => {
    api = app;
    [acme, starter] = [await api.signIn({ plan: 'plus' }), await api.signIn()];
  });
  beforeEach(async () => {
    await acme.put('/api/settings/branding', { logo: null });
  });

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
      const shown = await api.app.handle(new Request(`http://localhost${logo}`));
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
        const shown = await api.app.handle(new Request(`http://localhost${logo}`));
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
      ...[
        '',
        'data:',
        'data:image/png;base64,',
        'data:image/png;base64,***',
        'data:image/svg+xml;utf8,<svg/>',
      ],
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
});

describe('profile settings', () => {
  const NZBN = '9429000035170';

  let api: TestApp;
  let acme: SignedIn;
  beforeAll(async () => {
    api = app;
    acme = await api.signIn();
  });

  const save = (body: object, who = acme) => who.put('/api/settings/profile', body);
  const user = async (who = acme) => (await who.get('/api/authenticate')).body.user;
  const named = (tradingName: string) => ({ bn: '51824753556', name: 'Acme Plumbing Pty Ltd', tradingName });
  const fieldsOf = async (body: object, who = acme) => {
    const answer = await save(body, who);
    expect(answer).toMatchObject({ status: 422, body: { status: 'error' } });
    return answer.body.fields;
  };
  /** A business of the sandbox register, found as the form finds it. */
  const inRegister = async (q: string, r = 'au'): Promise<{ bn: string; name: string }> => {
    const { body } = await acme.get(`/api/registration/bn?r=${r}&q=${encodeURIComponent(q)}`);
    return body.entities[0];
  };
  const unchanged = async (act: () => Promise<unknown>) => {
    const before = await api.deps.store.head();
    await act();
    expect(await api.deps.store.head()).toBe(before);
  };

  describe('business details', () => {
    test('are saved together, and answered as they are from now on', async () => {
      const { bn, name } = await inRegister('Banksia');
      const answer = await save({
        bn: { bn: bn.replace(/(..)(...)/, '$1 $2 '), tradingName: ' Acme  Hot Water ' },
        ...{ firstName: ' Aroha ', lastName: 'Tāwhiri', intro: 'Hot water, and nothing else.' },
      });
      expect(answer).toMatchObject({
        status: 200,
        body: {
          status: 'ok',
          user: {
            ...{
              firstName: 'Aroha',
              lastName: 'Tāwhiri',
              initials: 'AT',
              intro: 'Hot water, and nothing else.',
            },
            bn: { bn, name, tradingName: 'Acme Hot Water', country: 'au' },
          },
        },
      });
      expect(answer.headers.has('x-read-model')).toBe(false);
      expect(await user()).toEqual(answer.body.user);
    });

    test('have the name that the register gives their number, whatever a browser says', async () => {
      const { bn, name } = await inRegister('Currawong');
      expect((await save({ bn: { bn, name: 'Ute Pty Ltd' } })).body.user.bn).toMatchObject({ bn, name });
      expect((await save({ bn: { bn, name: 'Ute Pty Ltd' } })).body.user.bn).toMatchObject({ bn, name });
    });

    test('have no number that the register does not know, or knows no more', async () => {
      expect(await fieldsOf({ bn: { bn: '51824753556' } })).toEqual({
        'bn.bn': "We couldn't find this company, please try again.",
      });
      const { bn } = await inRegister('Ironbark');
      expect(await fieldsOf({ bn: { bn } })).toEqual({ 'bn.bn': 'This business is not registered any more' });
    });

    test('that lead somewhere are refused', async () => {
      await unchanged(async () => {
        expect(await fieldsOf({ bn: named('Prizes at evil.com') })).toEqual({
          'bn.tradingName': 'Use a name without a web or email address in it',
        });
      });
    });

    test('that are left out stay as they are', async () => {
      const before = await user();
      await save({ firstName: 'Alannah' });
      expect(await user()).toEqual({ ...before, firstName: 'Alannah' });
    });

    test('that say nothing new are no event', async () => {
      const { firstName, lastName, intro, bn } = await user();
      expect(bn).toMatchObject({ country: 'au', registered: true, status: 'Active' });
      await unchanged(async () => {
        expect((await save({ firstName, lastName, intro, bn })).status).toBe(200);
        expect((await save({})).status).toBe(200);
      });
    });

    test('are refused by field, every field at once, and nothing is stored of the rest', async () => {
      const before = await user();
      await unchanged(async () => {
        expect(
          await fieldsOf({ bn: named('  '), firstName: '', lastName: 'X', intro: 'x'.repeat(301) }),
        ).toEqual({
          'bn.tradingName': 'Business name is required',
          firstName: 'First name is required',
          lastName: 'Last name must be at least 3 characters long',
          intro: 'Use at most 300 characters',
        });
        expect(await fieldsOf({ bn: named('Jo'), firstName: 'Jo', lastName: '' })).toEqual({
          'bn.tradingName': 'Business name must be at least 3 characters long',
          firstName: 'First name must be at least 3 characters long',
          lastName: 'Last name is required',
        });
      });
      expect(await user()).toEqual(before);
    });

    test('keep a short name that an account came with', async () => {
      const ng = await api.signIn({ firstName: 'Li', lastName: 'Ng' });
      expect((await save({ firstName: 'Li', lastName: 'Ng', intro: 'New words' }, ng)).status).toBe(200);
      expect(await fieldsOf({ firstName: 'Jo' }, ng)).toMatchObject({ firstName: expect.any(String) });
    });

    test('of "Jo Ng" can be saved whole, and each name changed without the other being judged', async () => {
      const ng = await api.signIn({ firstName: 'Jo', lastName: 'Ng', tradingName: 'Jo' });
      const { firstName, lastName, bn } = await user(ng);
      expect((await save({ firstName, lastName, bn, intro: 'Since 2009' }, ng)).body.user.intro).toBe(
        'Since 2009',
      );
      expect((await save({ firstName: 'Joanna', lastName, bn }, ng)).body.user).toMatchObject({
        ...{ firstName: 'Joanna', lastName: 'Ng' },
      });
      const found = await inRegister('Banksia');
      expect((await save({ bn: { ...bn, bn: found.bn } }, ng)).body.user.bn).toMatchObject({
        ...{ bn: found.bn, name: found.name, tradingName: 'Jo' },
      });
      const account = await ng.put('/api/registration/account', { firstName: 'Josephine', lastName: 'Ng' });
      expect(account).toMatchObject({
        status: 200,
        body: { user: { firstName: 'Josephine', lastName: 'Ng' } },
      });
      expect(await fieldsOf({ lastName: 'Li' }, ng)).toEqual({
        lastName: 'Last name must be at least 3 characters long',
      });
    });

    test('take a number of the business’s own country', async () => {
      const kiwi = await api.signIn({
        region: 'nz',
        bn: NZBN,
        phone: '+64211234599',
      });
      const [abn, nzbn] = [(await inRegister('Wattlebird')).bn, (await inRegister('Limited', 'nz')).bn];
      const no = { au: 'Enter a valid ABN number', nz: 'Enter a valid NZBN number' };
      expect(await fieldsOf({ bn: { bn: nzbn } })).toEqual({ 'bn.bn': no.au });
      expect(await fieldsOf({ bn: { bn: abn } }, kiwi)).toEqual({ 'bn.bn': no.nz });
      expect(await fieldsOf({ bn: { bn: '97004118274' }, firstName: '' })).toMatchObject({
        ...{ 'bn.bn': no.au, firstName: 'First name is required' },
      });
      expect((await save({ bn: { bn: nzbn } }, kiwi)).body.user.bn).toMatchObject({
        bn: nzbn,
        country: 'nz',
      });
    });
  });

  test('the welcome screen is left once, on every device, and never comes back', async () => {
    const newcomer = await api.signIn();
    const { email, password } = newcomer;
    const phone = await api.post('/api/authenticate/login', { email, password });
    const onPhone = { ...newcomer, ...api.as({ authorization: `Bearer ${phone.body.token}` }) };
    expect((await user(newcomer)).onboarding).toBe(true);
    expect((await save({ onboarding: false }, newcomer)).body.user.onboarding).toBe(false);
    expect((await user(onPhone)).onboarding).toBe(false);
    await unchanged(() => save({ onboarding: false }, newcomer));
    expect((await save({ onboarding: true }, newcomer)).status).toBe(422);
    expect((await user(newcomer)).onboarding).toBe(false);
  });

  describe('the words about us', () => {
    test('are saved by a call of their own', async () => {
      const intro = '“Blocked drains” & hot water\nsince 1998 🛠';
      const answer = await acme.put('/api/settings/intro', { intro });
      expect(answer).toMatchObject({ status: 200, body: { status: 'ok', details: { intro } } });
      expect((await user()).intro).toBe(intro);
      expect((await acme.put('/api/settings/intro', { intro: '' })).body.details.intro).toBe('');
    });

    test.each([
      { intro: 'x'.repeat(301) },
      { intro: 'x'.repeat(5_000) },
      { intro: null },
      {},
      { intro: 'x', slug: 'y' },
    ])('are not %j', async (body) => {
      await unchanged(async () => expect((await acme.put('/api/settings/intro', body)).status).toBe(422));
    });
  });

  describe('what a browser may not say', () => {
    const owned = {
      ...{
        plan: 'pro',
        type: 'pro',
        email: 'x@y.example',
        phone: '+61400000000',
        slug: 'mine',
        theme: '#C21313',
      },
      ...{
        logo: 'x',
        region: 'nz',
        timeZone: 'UTC',
        businessId: 'b',
        accountId: 'a',
        tenantId: 't',
        token: 't',
      },
      ...{ initials: 'XX', rules: { logo: true }, changedAt: '2020-01-01T00:00:00.000Z', tagline: 'x' },
    };
    test.each(Object.entries(owned))('%s', async (field, value) => {
      const before = await user();
      await unchanged(async () => {
        expect((await save({ firstName: 'Davina', [field]: value })).status).toBe(422);
        expect((await save({ bn: { ...named('Acme'), [field]: value } })).status).toBe(422);
      });
      expect(await user()).toEqual(before);
    });

    test('anything without a session', async () => {
      const signedOut = { ...acme, ...api.as({}) };
      expect((await save({ firstName: 'Davina' }, signedOut)).status).toBe(403);
      expect((await signedOut.put('/api/settings/intro', { intro: 'x' })).status).toBe(403);
    });
  });

  test('the profile tells the plan and what it may do', async () => {
    const pro = await api.signIn({ plan: 'pro' });
    expect(await user()).toMatchObject({
      type: 'starter',
      logo: null,
      rules: { logo: false, reviews: false },
    });
    expect(await user(pro)).toMatchObject({ type: 'pro', logo: null, rules: { logo: true, reviews: true } });
  });
});

describe('notification settings', () => {
  const PATH = '/api/settings/notifications';
  const allOn = Object.fromEntries(notificationToggles.map(({ name }) => [name, true]));

  let dave: SignedIn;
  beforeEach(async () => {
    dave = await app.signIn();
  });

  test('all notifications are on to begin with', async () => {
    expect((await dave.get(PATH)).body).toEqual({ status: 'ok', notifications: allOn });
  });

  test.each(notificationNames)('%s is turned off and on again, and the others stay', async (name) => {
    const off = await dave.put(PATH, { [name]: false });
    expect(off.body.notifications).toEqual({ ...allOn, [name]: false });
    expect((await dave.get(PATH)).body.notifications).toEqual({ ...allOn, [name]: false });
    expect((await dave.put(PATH, { [name]: true })).body.notifications).toEqual(allOn);
  });

  test('account notifications are locked on', async () => {
    const refused = await dave.put(PATH, { account: false, sms: false });
    expect(refused.status).toBe(422);
    expect(refused.body.fields).toEqual({ account: 'Account notifications are always on' });
    expect((await dave.put(PATH, { account: true })).body.notifications).toEqual(allOn);
  });

  test.each([{ sms: 'no' }, { sms: null }, { fax: true }, { accountId: 'x' }, null])(
    'settings of %j are refused',
    async (body) => {
      expect((await dave.put(PATH, body)).status).toBe(422);
    },
  );

  test('no account changes the switches of another', async () => {
    const mere = await app.signIn();
    await dave.put(PATH, { sms: false });
    expect((await mere.get(PATH)).body.notifications).toEqual(allOn);
    expect((await app.get(PATH)).status).toBe(403);
    expect((await app.put(PATH, { sms: false })).status).toBe(403);
  });

  test('turning what already stands so writes nothing', async () => {
    const head = await app.deps.store.head();
    await dave.put(PATH, { sms: true });
    await dave.put(PATH, {});
    expect(await app.deps.store.head()).toBe(head);
  });

  describe('a test alert', () => {
    /** Asks for an alert where messages are delivered by `other`. */
    async function alert(other: Partial<Delivery> = {}, owner = dave) {
      const delivery = testDelivery(app, other);
      const notify = () => void deliverDue(delivery);
      const deps = { ...app.deps, messages: { notify } };
      return sendTestAlert(deps, { id: 'session', accountId: owner.accountId, businessId: owner.businessId });
    }

    test('goes out by every channel and says where to', async () => {
      const channels = await alert();
      expect(channels.email).toEqual({
        ...{ outcome: 'sent', to: dave.email },
        message: `We sent a test alert to ${dave.email}.`,
      });
      expect(channels.sms.outcome).toBe('sent');
      expect(channels.sms.to).toMatch(/^0412 /);
      expect(await sentMail(app, dave.email)).toHaveLength(1);
      const number = `+61${channels.sms.to.replaceAll(' ', '').slice(1)}`;
      expect((await sentSms(app, number))[0]?.text).toContain('Ute test alert');
    });

    test('shows which channel does not work', async () => {
      const send = () => Promise.reject(new ProviderError('test', 'is unavailable'));
      const { email, sms } = await alert({ mail: { name: 'test', send } });
      expect([email.outcome, sms.outcome]).toEqual(['failed', 'sent']);
      expect(email.message).toContain('could not be sent by email');
    });

    test('leaves alone what is turned off', async () => {
      await dave.put(PATH, { sms: false });
      const { email, sms } = await alert();
      expect([email.outcome, sms.outcome]).toEqual(['sent', 'off']);
    });

    test('needs a session, and is not to be had without end', async () => {
      expect((await app.post(`${PATH}/test`)).status).toBe(403);
      const limited = await testApp({ env: { RATE_LIMITS: 'on' } });
      try {
        const owner = await limited.signIn();
        await owner.put(PATH, { email: false, sms: false });
        const answers = [];
        for (let n = 0; n < 6; n += 1) answers.push(await owner.post(`${PATH}/test`));
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
        expect(answers[0]?.body.channels.email.outcome).toBe('off');
      } finally {
        await limited.close();
      }
    });
  });
});

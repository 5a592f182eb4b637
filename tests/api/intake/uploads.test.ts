import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { PageRenderer } from '#api/deps.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import type { Answer } from '#tests/support/app/api-client.ts';
import { type PulledBody, pulledBody } from '#tests/support/app/streams.ts';
import { bytesOf } from '#tests/support/scenarios/files.ts';
import { aTicket } from '#tests/support/scenarios/job-requests.ts';

describe('uploads', () => {
  const MB = 1024 * 1024;
  const METRICS = 'token-of-the-metrics-page-alone';
  const pdf = bytesOf('%PDF-1.7\n1 0 obj\n', 'x'.repeat(500), '\n%%EOF\n');
  const pages: PageRenderer = async (_request, { status = 200 }) => new Response('the form', { status });

  let app: TestApp;
  let acme: SignedIn;
  let clients = 0;
  beforeAll(async () => {
    app = await testApp({
      pages,
      env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1', UPLOAD_BUDGET_MB: '32', METRICS_TOKEN: METRICS },
    });
    acme = await app.signIn({ plan: 'plus' });
  });
  afterAll(() => app?.close());

  /** A client with an address of its own, which no limit knows yet. */
  function aClient() {
    clients += 1;
    return { 'x-forwarded-for': `10.9.${clients >> 8}.${clients & 255}` };
  }

  const formHeaders = { 'content-type': 'multipart/form-data; boundary=x', 'sec-fetch-site': 'same-origin' };
  const file = (name: string) =>
    `--x\r\ncontent-disposition: form-data; name="media"; filename="${name}"\r\n\r\n`;
  const END = '\r\n--x--\r\n';

  /** The three ways by which more than 64 KiB come in: each sends a body that anyone could. */
  const routes = {
    form: (body: BodyInit, client: Record<string, string>, slug = acme.slug) =>
      app.send('POST', `/t/${slug}`, { body, headers: { ...formHeaders, ...client } }),
    file: async (body: BodyInit, client: Record<string, string>, slug = acme.slug) =>
      app.send('POST', `/api/public-forms/${slug}/media?name=a.pdf`, {
        body,
        headers: { 'x-bot-check': await aTicket(app), ...client },
      }),
    logo: (body: BodyInit, client: Record<string, string>, who: TestApp | SignedIn = acme) =>
      who.send('PUT', '/api/settings/branding', {
        body,
        headers: { 'content-type': 'application/json', ...client },
      }),
  } as const;
  const endless = () => pulledBody({ start: file('a.pdf'), size: 1_000 * MB });
  /** A whole body for each route that waits before its end. */
  const slow = {
    form: (size = MB) => pulledBody({ start: file('a.pdf'), size, end: END, waits: true }),
    file: (size = MB) => pulledBody({ size, waits: true }),
    logo: (size = MB) => pulledBody({ start: '{"logo":"', size, end: '"}', waits: true }),
  };
  const inFlight = async () => {
    const { text } = await app.get('/api/metrics', { ...aClient(), authorization: `Bearer ${METRICS}` });
    return Number(/^ute_upload_bytes (\d+)$/m.exec(text)?.[1]);
  };

  /** Refused before a byte of the body was asked for. */
  async function expectUnread(send: (body: BodyInit) => Promise<Answer>, status: number) {
    const { body, pulled } = endless();
    const answer = await send(body);
    expect([answer.status, pulled()]).toEqual([status, 0]);
    return answer;
  }

  describe('no byte of a body is read before it is known', () => {
    test('that the form exists', async () => {
      await expectUnread((body) => routes.form(body, aClient(), 'no-such-form'), 404);
      await expectUnread((body) => routes.file(body, aClient(), 'no-such-form'), 404);
    });

    test('that the form came from our own page', async () => {
      await expectUnread((body) => routes.form(body, { ...aClient(), 'sec-fetch-site': 'cross-site' }), 400);
    });

    test('that a file has a ticket which is good for one', async () => {
      const headers = [{}, { 'x-bot-check': 'x' }];
      for (const ticket of headers) {
        const send = (body: BodyInit) =>
          app.send('POST', `/api/public-forms/${acme.slug}/media`, {
            body,
            headers: { ...aClient(), ...ticket },
          });
        await expectUnread(send, 400);
      }
    });

    test('who sends a logo', async () => {
      await expectUnread((body) => routes.logo(body, aClient(), app), 403);
      await expectUnread(
        (body) => routes.logo(body, { ...aClient(), authorization: `Bearer ${'x'.repeat(40)}` }, app),
        403,
      );
    });

    test('that the sender is within the limits', async () => {
      const client = aClient();
      for (let n = 0; n < 30; n += 1) await routes.form('x', { ...client, 'content-length': '1' });
      const answer = await expectUnread((body) => routes.form(body, client), 429);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(answer.text).toContain('your browser has kept what you typed');
      const brander = await app.signIn({ plan: 'plus' });
      for (let n = 0; n < 30; n += 1) await brander.put('/api/settings/branding', {}, aClient());
      await expectUnread((body) => routes.logo(body, aClient(), brander), 429);
    });

    test('that a file is no longer than it may be', async () => {
      await expectUnread(
        async (body) => routes.file(body, { ...aClient(), 'content-length': String(6 * MB) }),
        413,
      );
    });
  });

  describe.each(['form', 'file', 'logo'] as const)('by the %s', (route) => {
    const running: { body: PulledBody; answer: Promise<Answer> }[] = [];
    const send = (size: number, client: Record<string, string>) => {
      const body = slow[route](size);
      const started = { body, answer: routes[route](body.body, client) };
      running.push(started);
      return started;
    };
    afterEach(async () => {
      for (const { body, answer } of running.splice(0)) {
        body.finish();
        await answer;
      }
    });

    test('a client sends one upload at a time, and another one when it is done', async () => {
      const client = aClient();
      const { body, answer } = send(MB, client);
      await body.reached(0.5 * MB);
      const second = await expectUnread((stream) => routes[route](stream, client), 429);
      expect(second.headers.get('retry-after')).toBe('5');
      expect(second.text).toContain('Another upload is still on its way');
      const other = send(MB, aClient());
      await other.body.reached(0.5 * MB);
      body.finish();
      expect((await answer).status).toBe(422);
      const third = send(MB, client);
      third.body.finish();
      expect((await third.answer).status).toBe(422);
    });

    test('what is held in memory is counted, and given back', async () => {
      const { body, answer } = send(MB, aClient());
      await body.reached(0.5 * MB);
      await expect.poll(inFlight).toBeGreaterThan(0.4 * MB);
      body.finish();
      await answer;
      expect(await inFlight()).toBe(0);
    });
  });

  test('what all of them keep together has a limit, and small requests are answered meanwhile', async () => {
    const heavy = () => {
      const four = Array.from({ length: 4 }, (_, n) => `${file(`${n}.pdf`)}${'x'.repeat(5 * MB - 10)}\r\n`);
      const start = `${four.join('')}${file('4.pdf')}${'x'.repeat(4 * MB)}`;
      return pulledBody({ start, size: 200_000, end: END, waits: true });
    };
    const first = heavy();
    const answer = routes.form(first.body, aClient());
    await expect.poll(inFlight).toBeGreaterThan(24 * MB);
    const refused = await routes.form(heavy().body, aClient());
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(refused.text).toContain('your browser has kept what you typed');
    const fits = slow.file(4 * MB);
    fits.finish();
    expect((await routes.file(fits.body, aClient())).status).toBe(422);
    expect((await app.get('/api/authenticate', aClient())).status).toBe(403);
    first.finish();
    await answer;
    expect(await inFlight()).toBe(0);
  });

  describe('a hostile form is refused as soon as it is seen', () => {
    const whole = (start: string) => pulledBody({ start, size: 20 * MB, end: END });
    test.each([
      ['380,000 files of one byte', `${file('a')}x\r\n`.repeat(1_000), 'The form has too many fields'],
      [
        'a name of 20 MB',
        '--x\r\ncontent-disposition: form-data; name="media"; filename="',
        'A name in the form is too long',
      ],
      [
        'a field’s name of 20 MB',
        '--x\r\ncontent-disposition: form-data; name="',
        'A name in the form is too long',
      ],
      ['a file’s name of 300 letters', `${file('a'.repeat(300))}`, 'The name of a file is too long'],
      ['headers without end', '--x\r\nx-y: ', 'A name in the form is too long'],
      ['20 MB before the first boundary', 'x', 'The form cannot be read'],
      [
        'a text of 20 MB',
        '--x\r\ncontent-disposition: form-data; name="title"\r\n\r\n',
        'That is more than we can take at once',
      ],
      [
        'thousands of fields',
        '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(5_000),
        'The form has too many fields',
      ],
    ])('%s', async (_what, start, message) => {
      const { body, pulled } = whole(start);
      const answer = await routes.form(body, aClient());
      expect([400, 413]).toContain(answer.status);
      expect(answer.headers.get('content-type')).toContain('text/html');
      for (const words of [message, 'your browser has kept what you typed'])
        expect(answer.text).toContain(words);
      expect(pulled()).toBeLessThan(start.length + 4 * 65_536);
      expect(await inFlight()).toBe(0);
    });
  });

  test('a sender who breaks off leaves nothing behind', async () => {
    const broken = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytesOf(file('a.pdf'), pdf));
      },
      pull(controller) {
        controller.error(new Error('gone'));
      },
    });
    const client = aClient();
    await routes.form(broken, client).catch(() => null);
    expect(await inFlight()).toBe(0);
    const again = slow.form();
    again.finish();
    expect((await routes.form(again.body, client)).status).toBe(422);
  });
});

describe('slow uploads', () => {
  const MB = 1024 * 1024;
  const SECOND = 1_000;
  const METRICS = 'token-of-the-metrics-page-alone';
  const pdf = bytesOf('%PDF-1.7\n1 0 obj\n', 'x'.repeat(500), '\n%%EOF\n');
  const pages: PageRenderer = async (_request, { status = 200 }) => new Response('the form', { status });

  let at = Date.parse('2026-11-03T01:00:00.000Z');
  let app: TestApp;
  let acme: SignedIn;
  let clients = 0;
  beforeAll(async () => {
    app = await testApp({
      pages,
      now: () => new Date(at),
      env: {
        ...{ RATE_LIMITS: 'on', TRUSTED_PROXIES: '1', BOT_CHECK_COST: '1', UPLOAD_BUDGET_MB: '32' },
        METRICS_TOKEN: METRICS,
      },
    });
    acme = await app.signIn({ plan: 'plus' });
  });
  afterAll(() => app?.close());

  function aClient() {
    clients += 1;
    return { 'x-forwarded-for': `10.8.${clients >> 8}.${clients & 255}` };
  }

  /** A body that sends what a test asks for, when it asks; `cut` tells that its reader gave it up. */
  function line() {
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    let isCut = false;
    const body = new ReadableStream<Uint8Array>({
      start(given) {
        controller = given;
      },
      cancel() {
        isCut = true;
      },
    });
    return {
      body,
      isCut: () => isCut,
      send: (bytes: Uint8Array) => controller?.enqueue(bytes),
      end: () => controller?.close(),
    };
  }

  const FORM = { 'content-type': 'multipart/form-data; boundary=x', 'sec-fetch-site': 'same-origin' };
  const part = (name: string) =>
    `--x\r\ncontent-disposition: form-data; name="media"; filename="${name}"\r\n\r\n`;
  const text = (name: string, value: string) =>
    `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const postForm = (body: BodyInit, client: Record<string, string>) =>
    app.send('POST', `/t/${acme.slug}`, { body, headers: { ...FORM, ...client } });
  const postFile = async (body: BodyInit, client: Record<string, string>, ticket?: string) =>
    app.send('POST', `/api/public-forms/${acme.slug}/media?name=a.pdf`, {
      body,
      headers: { 'x-bot-check': ticket ?? (await aTicket(app)), ...client },
    });
  const inFlight = async () => {
    const answer = await app.get('/api/metrics', { ...aClient(), authorization: `Bearer ${METRICS}` });
    return Number(/^ute_upload_bytes (\d+)$/m.exec(answer.text)?.[1]);
  };
  /** A form with files of `size` bytes in all, of which the last piece is never sent. */
  async function heldForm(size: number, client = aClient()) {
    const before = await inFlight();
    const held = line();
    const answer = postForm(held.body, client);
    for (let sent = 0; sent < size; sent += 4 * MB) {
      held.send(bytesOf(part(`${sent}.pdf`), new Uint8Array(Math.min(4 * MB, size - sent)), '\r\n'));
    }
    held.send(bytesOf(part('last.pdf'), 'x'.repeat(100)));
    await expect.poll(inFlight).toBeGreaterThan(before + size);
    return { ...held, answer };
  }

  describe('an upload has 120 seconds, and one more for every 64 KiB', () => {
    test('however often a byte of it comes', async () => {
      const slow = line();
      const answer = postFile(slow.body, aClient());
      slow.send(bytesOf('a'));
      await expect.poll(inFlight).toBe(1);
      at += 119 * SECOND;
      slow.send(bytesOf('b'));
      await expect.poll(inFlight).toBe(2);
      at += 2 * SECOND;
      slow.send(bytesOf('c'));
      const refused = await answer;
      expect([refused.status, refused.body.message]).toEqual([
        408,
        'That took too long to arrive, please try again',
      ]);
      expect([slow.isCut(), await inFlight()]).toEqual([true, 0]);
    });

    test('and a long one that comes steadily is taken', async () => {
      const steady = line();
      const answer = postForm(steady.body, aClient());
      for (let n = 0; n < 4; n += 1) {
        steady.send(bytesOf(part(`${n}.pdf`), new Uint8Array(4 * MB), '\r\n'));
        await expect.poll(inFlight).toBeGreaterThan((n + 1) * 4 * MB - 500);
        at += 60 * SECOND;
      }
      steady.send(bytesOf('--x--\r\n'));
      steady.end();
      expect((await answer).status).toBe(422);
    });
  });

  test('who holds most for longest gives way to who comes while there is no room', async () => {
    const [larger, smaller] = [await heldForm(16 * MB), await heldForm(12 * MB)];
    at += 11 * SECOND;
    const { status } = await postFile(
      bytesOf('%PDF-1.7\n', new Uint8Array(4.9 * MB), '\n%%EOF\n'),
      aClient(),
    );
    expect(status).toBe(200);
    expect((await larger.answer).status).toBe(503);
    expect([larger.isCut(), smaller.isCut()]).toEqual([true, false]);
    smaller.send(bytesOf('\r\n--x--\r\n'));
    smaller.end();
    expect((await smaller.answer).status).toBe(422);
    expect(await inFlight()).toBe(0);
  });

  test('a form with little text is taken while uploads fill all there is', async () => {
    const [one, other] = [await heldForm(16 * MB), await heldForm(15.9 * MB)];
    const body = `${text('name', 'x'.repeat(60_000))}--x--\r\n`;
    const { status } = await app.send('POST', `/t/${acme.slug}`, {
      body,
      headers: { ...FORM, ...aClient(), 'content-length': String(body.length) },
    });
    expect(status).toBe(422);
    for (const { send, end, answer } of [one, other]) {
      send(bytesOf('\r\n--x--\r\n'));
      end();
      expect((await answer).status).toBe(422);
    }
  });

  describe('a network of IPv6', () => {
    const from = (last: string) => ({ 'x-forwarded-for': `2001:db8:77:${last}::1` });

    test('has four uploads at once, whichever of its addresses they come from', async () => {
      const held = [];
      for (const last of ['1', '2', '3', '4']) held.push(await heldForm(0, from(last)));
      const fifth = await postFile(pdf, from('5'));
      expect([fifth.status, fifth.headers.get('retry-after')]).toEqual([429, '5']);
      expect((await postFile(pdf, { 'x-forwarded-for': '2001:db8:78:1::1' })).status).toBe(200);
      for (const { send, end, answer } of held) {
        send(bytesOf('\r\n--x--\r\n'));
        end();
        await answer;
      }
      expect((await postFile(pdf, from('5'))).status).toBe(200);
    });
  });

  describe('an upload whose line was lost', () => {
    test('keeps its turn for five seconds, and then the next one of the same source takes it', async () => {
      const client = aClient();
      const lost = line();
      const answer = postFile(lost.body, client);
      lost.send(bytesOf('%PDF-1.7\n'));
      await expect.poll(inFlight).toBe(9);
      at += 4 * SECOND;
      expect((await postFile(pdf, client)).status).toBe(429);
      at += SECOND;
      expect((await postFile(pdf, client)).status).toBe(200);
      expect([(await answer).status, lost.isCut()]).toEqual([408, true]);
      expect(await inFlight()).toBe(0);
    });

    test('costs no place among the files of its source while it is tried again', async () => {
      const client = aClient();
      const ticket = await aTicket(app);
      const held = await heldForm(0, client);
      for (let n = 0; n < 30; n += 1) expect((await postFile(pdf, client, ticket)).status).toBe(429);
      held.send(bytesOf('\r\n--x--\r\n'));
      held.end();
      await held.answer;
      expect((await postFile(pdf, client, ticket)).status).toBe(200);
    });
  });
});

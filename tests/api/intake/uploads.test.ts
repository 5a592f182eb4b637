import { afterEach, describe, expect, test } from 'vitest';
import { type Answer, type Client, type PulledBody, pulledBody } from '#tests/support/app/api-client.ts';
import { bytesOf, pdf } from '#tests/support/scenarios/files.ts';
import { END, filePart, MB, uploads } from '#tests/support/scenarios/limited-forms.ts';

const stage = uploads();
const { aClient, inFlight } = stage;

/** The three ways by which more than 64 KiB come in: each sends a body that anyone could. */
const routes = {
  form: stage.postForm,
  file: stage.postFile,
  logo: (body: BodyInit, client: Record<string, string>, who: Client = stage.acme) =>
    who.send('PUT', '/api/settings/branding', {
      body,
      headers: { 'content-type': 'application/json', ...client },
    }),
} as const;
const endless = () => pulledBody({ start: filePart('a.pdf'), size: 1_000 * MB });
/** A whole body for each route that waits before its end. */
const slow = {
  form: (size = MB) => pulledBody({ start: filePart('a.pdf'), size, end: END, waits: true }),
  file: (size = MB) => pulledBody({ size, waits: true }),
  logo: (size = MB) => pulledBody({ start: '{"logo":"', size, end: '"}', waits: true }),
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
        stage.app.send('POST', `/api/public-forms/${stage.acme.slug}/media`, {
          body,
          headers: { ...aClient(), ...ticket },
        });
      await expectUnread(send, 400);
    }
  });

  test('who sends a logo', async () => {
    await expectUnread((body) => routes.logo(body, aClient(), stage.app), 403);
    await expectUnread(
      (body) => routes.logo(body, { ...aClient(), authorization: `Bearer ${'x'.repeat(40)}` }, stage.app),
      403,
    );
  });

  test('that the sender is within the limits', async () => {
    const client = aClient();
    for (let n = 0; n < 30; n += 1) await routes.form('x', { ...client, 'content-length': '1' });
    const answer = await expectUnread((body) => routes.form(body, client), 429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.text).toContain('Most browsers still show what you typed');
    const brander = await stage.app.signIn({ plan: 'plus' });
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

test('the answer to a long body that was not read ends its connection, and to one that was it does not', async () => {
  const long = (client = aClient()) => ({ ...client, 'content-length': String(6 * MB) });
  const client = aClient();
  const held = pulledBody({ start: filePart('a.pdf'), size: MB, end: END, waits: true });
  const first = routes.form(held.body, client);
  await held.reached(0.5 * MB);
  const refused = [
    await routes.form(endless().body, long(client)),
    await routes.form(endless().body, long(), 'no-such-form'),
    await routes.file(endless().body, long(), 'no-such-form'),
    await routes.file(endless().body, long()),
    await routes.logo(endless().body, long(), stage.app),
  ];
  expect(refused.map(({ status }) => status)).toEqual([429, 404, 404, 413, 403]);
  expect(refused.map(({ headers }) => headers.get('connection'))).toEqual(refused.map(() => 'close'));
  held.finish();
  await first;
  const whole = pulledBody({ start: filePart('a.pdf'), size: MB, end: END });
  const read = await routes.form(whole.body, { ...aClient(), 'transfer-encoding': 'chunked' });
  expect([read.status, read.headers.get('connection')]).toEqual([422, null]);
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
    const four = Array.from({ length: 4 }, (_, n) => `${filePart(`${n}.pdf`)}${'x'.repeat(5 * MB - 10)}\r\n`);
    const start = `${four.join('')}${filePart('4.pdf')}${'x'.repeat(4 * MB)}`;
    return pulledBody({ start, size: 200_000, end: END, waits: true });
  };
  const first = heavy();
  const answer = routes.form(first.body, aClient());
  await expect.poll(inFlight).toBeGreaterThan(24 * MB);
  const refused = await routes.form(heavy().body, aClient());
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  expect(refused.text).toContain('Most browsers still show what you typed');
  const fits = slow.file(4 * MB);
  fits.finish();
  expect((await routes.file(fits.body, aClient())).status).toBe(422);
  expect((await stage.app.get('/api/authenticate', aClient())).status).toBe(403);
  first.finish();
  await answer;
  expect(await inFlight()).toBe(0);
});

describe('a hostile form is refused as soon as it is seen', () => {
  const whole = (start: string) => pulledBody({ start, size: 20 * MB, end: END });
  test.each([
    ['380,000 files of one byte', `${filePart('a')}x\r\n`.repeat(1_000), 'The form has too many fields'],
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
    ['a file’s name of 300 letters', `${filePart('a'.repeat(300))}`, 'The name of a file is too long'],
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
    for (const words of [message, 'Most browsers still show what you typed'])
      expect(answer.text).toContain(words);
    expect(pulled()).toBeLessThan(start.length + 4 * 65_536);
    expect(await inFlight()).toBe(0);
  });
});

test('a sender who breaks off leaves nothing behind', async () => {
  const broken = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytesOf(filePart('a.pdf'), pdf));
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

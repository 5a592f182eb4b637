import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import {
  askKel,
  exchange,
  linesOf,
  modelServer,
  postToKel,
  type Said,
  streamed,
} from '#tests/support/scenarios/assistant.ts';
import { aNewJob } from '#tests/support/scenarios/job-requests.ts';

const KEY = 'sk-marker-key-55121';
/** What the model answers next, by the number of its request, from 0. */
let answer: (round: number) => Said | Response | Promise<Said | Response>;
const model = modelServer((_asked, round) => answer(round));
const lines: string[] = [];
let app: TestApp;
let acme: SignedIn;
let switchboard: string;
beforeAll(async () => {
  app = await testApp({
    env: { ASSISTANT_URL: `${model.url}/v1`, ASSISTANT_MODEL: 'test-model', ASSISTANT_KEY: KEY },
    now: () => new Date('2026-11-19T22:30:00Z'),
    log: (line) => lines.push(line),
  });
  acme = await app.signIn();
  const job = aNewJob({ title: 'Switchboard upgrade', scheduledAt: '2026-11-20T23:00:00Z' });
  switchboard = (await acme.post('/api/jobs', job)).body.job.id;
  await app.settle();
});
const written = (['log', 'info', 'warn', 'error', 'debug'] as const).map((name) => vi.spyOn(console, name));
afterEach(() => {
  model.forget();
  // The SDK would write what was asked.
  for (const spy of written) expect(spy).not.toHaveBeenCalled();
});
afterAll(async () => {
  await app?.close();
  await model.stop();
});

const ask = (message: string) => askKel(app, acme, message);
/** Says these one after another, the last of them for ever. */
const says = (...said: readonly (Said | (() => Response))[]) => {
  answer = (round) => {
    const next = said[Math.min(round, said.length - 1)];
    return typeof next === 'function' ? next() : (next ?? {});
  };
};

test('what it says comes sentence by sentence, and it is asked as the protocol has it', async () => {
  says({ text: ['Two jo', 'bs today. The first ', 'is at 8AM.'] });
  const { pieces, said } = await ask('what’s on?');
  expect(pieces.map(({ kind }) => kind)).toEqual(['text', 'text']);
  expect(said).toBe('Two jobs today. The first is at 8AM.');
  const [request] = model.requests();
  expect([request?.path, request?.headers.get('authorization')]).toEqual([
    '/v1/chat/completions',
    `Bearer ${KEY}`,
  ]);
  const [asked] = model.asked();
  expect(asked).toMatchObject({ model: 'test-model', stream: true, max_tokens: 700 });
  expect(asked?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
  expect(asked?.messages[0]?.content).toContain('It is Friday 2026-11-20, 09:30 where the business is');
  expect(asked?.tools?.map((tool) => tool.function.name)).toEqual(
    expect.arrayContaining(['list_jobs', 'job_details', 'schedule', 'propose_change', 'show_jobs']),
  );
  expect(JSON.stringify(asked?.tools)).not.toMatch(/business_?id|tenant|account/i);
});

test('tools are used, several in one go, and rows and links come from us', async () => {
  says(
    {
      calls: [
        { name: 'schedule', input: { from: '2026-11-21', to: '2026-11-21' } },
        { name: 'job_counts', input: {} },
      ],
    },
    {
      calls: [
        { name: 'show_jobs', input: { ids: [switchboard] } },
        { name: 'open_page', input: { page: 'form' } },
      ],
    },
    { text: ['One job tomorrow.'] },
  );
  const { pieces } = await ask('what’s on tomorrow?');
  expect(pieces).toEqual([
    {
      kind: 'jobs',
      jobs: [{ id: switchboard, lead: 'Sat 21 Nov', title: 'Switchboard upgrade' }],
    },
    { kind: 'link', label: 'Your job form', path: `/t/${acme.slug}` },
    { kind: 'text', text: 'One job tomorrow.' },
  ]);
  const results = model.asked()[1]?.messages.filter(({ role }) => role === 'tool') ?? [];
  expect(results).toHaveLength(2);
  expect(results[0]?.content).toContain('Switchboard upgrade');
  expect(results[0]?.content).toContain('Sat 21 Nov 2026, 10:00AM');
  expect(results[0]?.content).not.toMatch(/moana@|491 ?57\d ?\d{3}|Weston/);
});

test('a change is a button with words of ours, and changes nothing', async () => {
  const change = { id: switchboard, change: 'Quoted' };
  says({ text: ['Free money! '], calls: [{ name: 'propose_change', input: change }] }, { text: ['There.'] });
  const head = await app.deps.store.head();
  const { pieces } = await ask('mark the switchboard as quoted');
  expect(pieces).toMatchObject([
    { kind: 'text', text: 'Free money!' },
    { kind: 'text', text: '“Switchboard upgrade” for Moana Rangi. Shall I?' },
    { kind: 'proposal', proposal: { jobId: switchboard, change: { kind: 'status', status: 'Quoted' } } },
    { kind: 'text', text: 'There.' },
  ]);
  expect(await app.deps.store.head()).toBe(head);
});

test('what went before goes along, the latest of it', async () => {
  says({ calls: [{ name: 'show_jobs', input: { ids: [switchboard] } }] }, { text: ['Here it is.'] });
  const shown = await ask('find the switchboard');
  model.forget();
  const earlier = [...Array(5).fill({ question: 'hm', answer: '', jobs: [] }), exchange('find it', shown)];
  await askKel(app, acme, 'accept it', earlier);
  const { messages = [] } = model.asked()[0] ?? {};
  expect(messages).toHaveLength(14);
  expect(messages.slice(-3)).toMatchObject([
    { role: 'user', content: 'find it' },
    { role: 'assistant', content: 'Here it is.' },
    { role: 'user', content: 'accept it' },
  ]);
  expect(messages[0]?.content).toContain(switchboard);
});

test('markup, pictures and addresses are taken out', async () => {
  const hostile = '![x](https://evil.example/?q=1) **See** [here](https://evil.example). <img src=x>';
  says({ text: [...hostile] });
  expect((await ask('hi')).said).toBe('See here.');
});

test('an unknown tool, or one asked the wrong way, is answered with an error and the model goes on', async () => {
  says(
    {
      calls: [
        { name: 'delete_all_jobs', input: {} },
        { name: 'job_details', input: { id: 'all' } },
        { name: 'list_jobs', input: '{"search": "ta' },
        { name: 'schedule', input: { from: '2026-01-01', to: '2029-01-01' } },
      ],
    },
    { text: ['Sorry about that.'] },
  );
  expect((await ask('hi')).said).toBe('Sorry about that.');
  expect(model.asked()[1]?.messages.filter(({ role }) => role === 'tool')).toHaveLength(4);
});

test('what it thinks aloud is not shown', async () => {
  says({ text: ['<thi', 'nk>The tradie wants jobs.</think>', 'Two jobs today.'] });
  expect((await ask('what’s on?')).said).toBe('Two jobs today.');
});

test('endless looking ends', async () => {
  says({ calls: [{ name: 'job_counts', input: {} }] });
  expect((await ask('how many?')).said).toContain('did not get to the end');
  expect(model.requests()).toHaveLength(6);
  expect(model.asked().at(-1)?.tool_choice).toBe('none');
});

test('endless talking ends', async () => {
  says({ text: Array(300).fill('Another sentence of it all. ') });
  const { said } = await ask('tell me everything');
  expect(said.length).toBeLessThan(4_100);
  expect(said).toMatch(/as much as I can say at once\.$/);
});

describe('what goes wrong is shown, after what was answered before it', () => {
  const begun = linesOf({ text: ['One job tomorrow. It is at 10'], finish: null });
  const refused = (status: number) => () =>
    Response.json({ error: { message: `${KEY} what’s on, Moana?` } }, { status });

  test.each<[string, Said | (() => Response), string, object]>([
    ['a wrong key', refused(401), 'I cannot answer just now', { reason: 'refused', status: 401 }],
    ['too many questions', refused(429), 'I am asked a lot just now', { reason: 'busy', status: 429 }],
    ['a fault', refused(500), 'I cannot answer just now', { reason: 'unavailable', status: 500 }],
    [
      'elsewhere',
      () => Response.redirect(`${model.url}/elsewhere`),
      'I cannot answer just now',
      { reason: 'unavailable' },
    ],
    ['a page', () => new Response('<html>'), 'My answer came out wrong', { reason: 'malformed' }],
    [
      'nonsense',
      () => streamed([...begun, '{"choices": 7}']),
      'My answer came out wrong',
      { reason: 'malformed' },
    ],
    ['no JSON', () => streamed([...begun, '{{{']), 'My answer came out wrong', { reason: 'malformed' }],
    [
      'a fault on the way',
      () => streamed([...begun, '{"error":{"message":"overloaded"}}']),
      'I cannot answer just now',
      { reason: 'unavailable' },
    ],
    ['an end in the middle', () => streamed(begun), 'My answer broke off', { reason: 'cut' }],
  ])('%s', async (_name, said, message, logged) => {
    says(said);
    lines.length = 0;
    const { status, text } = await postToKel(app, acme, { message: 'what’s on for Moana?' });
    expect(status).toBe(200);
    const events = text.trim().split('\n\n');
    expect(events.at(-1)).toContain('event: failed');
    expect(events.at(-1)).toContain(message);
    if (text.includes('event: text')) expect(text).toContain('One job tomorrow.');
    const line = lines.find((one) => one.includes('assistant-failed'));
    expect(JSON.parse(line ?? '{}')).toMatchObject(logged);
    expect(model.requests()).toHaveLength(1);
    expect(lines.join('')).not.toMatch(/marker-key|Moana|what’s on/);
    expect(text).not.toMatch(/marker-key|Moana/);
  });
});

test('an answer without a word says so', async () => {
  says({ text: [] });
  expect((await ask('hi')).said).toBe('I have no answer to that.');
  says({ text: ['Never mind'], finish: 'content_filter' });
  expect((await ask('hi')).said).toBe('Never mind I cannot answer that one.');
});

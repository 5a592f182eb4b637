import { afterEach, expect, test } from 'vitest';
import { AssistantError, type JobTools, type Piece, type Question } from '#api/assistant/assistant.ts';
import { type ModelLimits, modelAssistant } from '#api/assistant/model/model-assistant.ts';
import { linesOf, type ModelServer, modelServer, streamed } from '#tests/support/scenarios/assistant.ts';

const clock = {
  now: new Date('2026-11-19T22:30:00Z'),
  timeZone: 'Australia/Melbourne',
  region: 'au' as const,
};
const patient: ModelLimits = {
  ...{ totalMs: 20_000, stepMs: 20_000, chunkMs: 20_000 },
  ...{ steps: 3, tokens: 50, characters: 1_000 },
};
let server: ModelServer | undefined;
afterEach(() => server?.stop());

function assistant(answer: Parameters<typeof modelServer>[0], limits: Partial<ModelLimits> = {}) {
  server = modelServer(answer);
  const settings = { provider: 'model', url: `${server.url}/v1`, model: 'test-model', key: null } as const;
  return modelAssistant(settings, { ...patient, ...limits });
}

const tools: JobTools = {
  counts: async () => ({ today: 1, new: 2, inProgress: 3, all: 6 }),
  list: async () => [],
  job: async () => null,
  schedule: async () => [],
  overdue: async () => ({ count: 0, jobs: [] }),
  givenStatus: async () => ({ jobs: [], isWhole: true }),
  formPath: async () => null,
};
const question = (signal = new AbortController().signal): Question => ({
  message: 'hi',
  earlier: [],
  signal,
});

/** What came of an answer, and what ended it. */
async function read(pieces: AsyncIterable<Piece>): Promise<{ said: string[]; error: unknown }> {
  const said: string[] = [];
  try {
    for await (const piece of pieces) if (piece.kind === 'text') said.push(piece.text);
    return { said, error: null };
  } catch (error) {
    return { said, error };
  }
}
const silence = (text: string[] = []) => streamed(linesOf({ text, finish: null }), true);
const never = () => new Promise<Response>(() => {});

test.each<[string, () => Response | Promise<Response>, Partial<ModelLimits>]>([
  ['does not answer', never, { stepMs: 60 }],
  ['falls silent', () => silence(['One job. And']), { chunkMs: 60 }],
  ['takes too long in all', () => silence(['One job. And']), { totalMs: 60 }],
])('a model that %s is not waited for', async (_name, answer, limits) => {
  const { said, error } = await read(assistant(answer, limits).reply(question(), tools, clock));
  expect(error).toBeInstanceOf(AssistantError);
  expect(error).toMatchObject({ reason: 'late', message: expect.stringContaining('took too long') });
  expect(['', 'One job. And']).toContain(said.join(' '));
});

test('a model that cannot be reached is reported as unavailable', async () => {
  const gone = assistant(never);
  await server?.stop();
  expect((await read(gone.reply(question(), tools, clock))).error).toMatchObject({ reason: 'unavailable' });
});

test('a tradie who leaves ends the request to the model too', async () => {
  const stop = new AbortController();
  const left = Promise.withResolvers<void>();
  const kel = assistant((_asked, _round, request) => {
    request.signal.addEventListener('abort', () => left.resolve());
    return silence(['One job. And']);
  });
  const pieces = kel.reply(question(stop.signal), tools, clock)[Symbol.asyncIterator]();
  expect((await pieces.next()).value).toEqual({ kind: 'text', text: 'One job.' });
  const rest = pieces.next();
  stop.abort();
  await expect(rest).resolves.toMatchObject({ value: { text: 'And' } });
  await left.promise;
});

test('what keeps a tool from its work ends the answer, and the model learns nothing of it', async () => {
  const outage = new Error('relation "read.job_cards" does not exist');
  const broken = { ...tools, counts: () => Promise.reject(outage) };
  const kel = assistant((_asked, round) =>
    round === 0 ? { calls: [{ name: 'job_counts', input: {} }] } : { text: ['All is gone.'] },
  );
  expect(await read(kel.reply(question(), broken, clock))).toEqual({ said: [], error: outage });
  expect(JSON.stringify(server?.asked())).not.toContain('relation');
});

test('an answer without end is not read to it', async () => {
  const kel = assistant(() => streamed(Array(3_000).fill(linesOf({ text: ['x'.repeat(500)] })[1])));
  const { said } = await read(kel.reply(question(), tools, clock));
  expect(said.join('').length).toBeLessThan(1_100);
});

import { expect, test, vi } from 'vitest';
import { answerStream } from './answer-stream.ts';
import { AssistantError, type Piece } from './assistant.ts';

const hello: Piece = { kind: 'text', text: 'Hello.' };
const stays = new AbortController().signal;

/** Says hello, then waits for its reader to leave. */
async function* waiting(signal: AbortSignal): AsyncGenerator<Piece> {
  yield hello;
  signal.throwIfAborted();
  await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

test('pieces are events, and the last says that it is the last', async () => {
  async function* answer() {
    yield hello;
  }
  const text = await new Response(answerStream(answer, { gone: stays, onFailure: vi.fn() })).text();
  expect(text).toBe('event: text\ndata: {"kind":"text","text":"Hello."}\n\nevent: done\ndata: {}\n\n');
});

test.each([
  [new AssistantError('busy', 'Please try again in a minute.', 429), 'Please try again in a minute.'],
  [new Error('relation "jobs" does not exist'), 'That did not work just now. Please try again in a moment'],
])('%s ends it with a sentence', async (error, message) => {
  async function* answer() {
    yield hello;
    throw error;
  }
  const onFailure = vi.fn();
  const text = await new Response(answerStream(answer, { gone: stays, onFailure })).text();
  expect(text).toContain(`event: failed\ndata: ${JSON.stringify({ message })}`);
  expect(onFailure).toHaveBeenCalledWith(error);
});

test('a reader that leaves ends what the answer waits for, and that is no failure', async () => {
  const onFailure = vi.fn();
  let told: AbortSignal | undefined;
  const stream = answerStream(
    (signal) => {
      told = signal;
      return waiting(signal);
    },
    { gone: stays, onFailure },
  );
  const reader = stream.getReader();
  await reader.read();
  await reader.cancel();
  expect([told?.aborted, onFailure.mock.calls]).toEqual([true, []]);
});

test('a request that aborts ends it too', async () => {
  const gone = new AbortController();
  const onFailure = vi.fn();
  const reader = answerStream(waiting, { gone: gone.signal, onFailure }).getReader();
  await reader.read();
  const rest = reader.read();
  gone.abort();
  expect(new TextDecoder().decode((await rest).value)).toContain('event: failed');
  expect((await reader.read()).done).toBe(true);
  expect(onFailure).not.toHaveBeenCalled();
});

import { expect, test, vi } from 'vitest';
import { type Change, stayConnected } from './live.ts';

const change: Change = { kind: 'job', id: 'j1', position: '7' };
const answer = (text: string, status = 200) => new Response(text, { status });
const event = `event: change\ndata: ${JSON.stringify(change)}\nid: 7\n\n`;

/** Runs a connection over the answers, then ends it. */
async function run(...answers: (Response | Error)[]) {
  const end = new AbortController();
  const pauses: number[] = [];
  const onGap = vi.fn();
  const onChange = vi.fn();
  await stayConnected({
    async open() {
      const next = answers.shift();
      if (next instanceof Error) throw next;
      return next ?? null;
    },
    onGap,
    onChange,
    signal: end.signal,
    wait: async (milliseconds) => void pauses.push(milliseconds),
  });
  return { pauses, onGap, onChange };
}

test('changes are passed on', async () => {
  const { onChange } = await run(answer(`: hello\n\n${event}`));
  expect(onChange).toHaveBeenCalledExactlyOnceWith(change);
});

test('a connection that ends is opened again, and every opening after the first calls onGap', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  const { onGap } = await run(answer('', 503), answer(event), answer(event));
  expect(onGap).toHaveBeenCalledTimes(1);
});

test('a server that missed something counts as a connection that was down', async () => {
  const { onGap, onChange } = await run(answer('event: resync\ndata: {}\n\n'));
  expect(onGap).toHaveBeenCalledTimes(1);
  expect(onChange).not.toHaveBeenCalled();
});

test('failures wait longer and longer, up to 30 seconds', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  vi.spyOn(console, 'warn').mockReturnValue();
  const outage = Array.from({ length: 7 }, (_, index) => (index % 2 ? answer('', 503) : new Error('down')));
  const { pauses, onGap } = await run(...outage);
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  expect(onGap).not.toHaveBeenCalled();
});

test('an event makes the next pause short again', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const { pauses } = await run(answer('', 503), answer('', 503), answer(event), answer('', 503));
  expect(pauses).toEqual([1_000, 2_000, 1_000, 2_000]);
});

test('a dead session ends the connection', async () => {
  const { pauses } = await run();
  expect(pauses).toEqual([]);
});

test.each([
  ['once the page is still there after the pause', false, 1],
  ['never of a page that was left meanwhile', true, 0],
])('a connection that breaks is warned of %s', async (_, isLeft, times) => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  warn.mockClear();
  const end = new AbortController();
  const answers = [Promise.reject(new Error('broken')), null];
  await stayConnected({
    open: async () => (await answers.shift()) ?? null,
    onGap: vi.fn(),
    onChange: vi.fn(),
    signal: end.signal,
    wait: async () => {
      expect(warn).not.toHaveBeenCalled();
      if (isLeft) end.abort();
    },
  });
  expect(warn).toHaveBeenCalledTimes(times);
});

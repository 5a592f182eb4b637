import { expect, test } from 'vitest';
import { comment, createLiveStream, message } from './live-hub.ts';
import { rememberChanges } from './recent-changes.ts';

test('a message is one server-sent event', () => {
  expect(message('change', '7', { id: 'a' })).toBe('id: 7\nevent: change\ndata: {"id":"a"}\n\n');
  expect(comment('beat')).toBe(': beat\n\n');
});

test('a reader that falls too far behind is ended instead of remembered', () => {
  let ended = 0;
  const stream = createLiveStream(() => {
    ended += 1;
  });
  for (let index = 0; index < 200; index += 1) stream.send('x');
  expect(ended).toBe(0);
  stream.send('x');
  expect(ended).toBe(1);
  stream.send('x');
  stream.end();
  expect(ended).toBe(1);
});

test('a reader that leaves ends the stream once', async () => {
  let ended = 0;
  const stream = createLiveStream(() => {
    ended += 1;
  });
  await stream.body.cancel();
  stream.end();
  expect(ended).toBe(1);
});

function remembering() {
  let now = 0;
  let change: (businessId: string) => void = () => {};
  let gap = () => {};
  const recent = rememberChanges(
    {
      onChange: (listener) => {
        change = (businessId) => listener({ businessId, kind: 'job', id: 'j1', position: '7' });
        return () => {};
      },
      onGap: (listener) => {
        gap = listener;
        return () => {};
      },
    },
    () => now,
  );
  return { recent, change: (id: string) => change(id), gap: () => gap(), at: (time: number) => (now = time) };
}

test('a business that changed since the page began may have changed for it, another not', () => {
  const { recent, change, at } = remembering();
  at(30_000);
  change('acme');
  at(35_000);
  expect(recent.mayHaveChanged('acme', 6_000)).toBe(true);
  expect(recent.mayHaveChanged('acme', 4_500)).toBe(true);
  expect(recent.mayHaveChanged('acme', 3_000)).toBe(false);
  expect(recent.mayHaveChanged('other', 6_000)).toBe(false);
});

test('before this process listened, after a gap and after a minute anything may have changed', () => {
  const { recent, gap, at } = remembering();
  at(5_000);
  expect(recent.mayHaveChanged('acme', 4_500)).toBe(true);
  expect(recent.mayHaveChanged('acme', 1_000)).toBe(false);
  gap();
  expect(recent.mayHaveChanged('acme', 1_000)).toBe(true);
  at(200_000);
  expect(recent.mayHaveChanged('acme', 1_000)).toBe(false);
  expect(recent.mayHaveChanged('acme', 60_000)).toBe(true);
  expect(recent.mayHaveChanged('acme', Number.NaN)).toBe(true);
});

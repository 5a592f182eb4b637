import { expect, test } from 'vitest';
import { comment, createLiveStream, message } from './stream.ts';

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

import { expect, test } from 'vitest';
import { readEvents } from './live.ts';

function streamOf(...pieces: string[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(encoder.encode(piece));
      controller.close();
    },
  });
}

async function read(...pieces: string[]) {
  const events = [];
  for await (const event of readEvents(streamOf(...pieces))) events.push(event);
  return events;
}

test('an event has its name, data and id', async () => {
  expect(await read('event: change\ndata: {"id":"1"}\nid: 42\n\n')).toEqual([
    { event: 'change', data: '{"id":"1"}', id: '42' },
  ]);
});

test('pieces may be cut anywhere, inside a character too', async () => {
  const whole = new TextEncoder().encode('data: café\n\ndata: second\n\n');
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of whole) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const data = [];
  for await (const event of readEvents(body)) data.push(event.data);
  expect(data).toEqual(['café', 'second']);
});

test('a comment is a sign of life and no event', async () => {
  let signs = 0;
  const events = [];
  for await (const event of readEvents(streamOf(': still here\n\n', 'data: x\n\n'), () => (signs += 1))) {
    events.push(event.data);
  }
  expect(events).toEqual(['x']);
  expect(signs).toBe(2);
});

test('carriage returns end lines as well', async () => {
  expect(await read('data: a\r\n\r\n')).toMatchObject([{ data: 'a' }]);
});

test('what is cut off at the end is no event', async () => {
  expect(await read('data: half')).toEqual([]);
});

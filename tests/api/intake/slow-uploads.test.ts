import { describe, expect, test } from 'vitest';
import { bytesOf, pdf } from '#tests/support/scenarios/files.ts';
import { aTicket } from '#tests/support/scenarios/job-requests.ts';
import { END, filePart, MB, uploads } from '#tests/support/scenarios/limited-forms.ts';

const SECOND = 1_000;

let at = Date.parse('2026-11-03T01:00:00.000Z');
const stage = uploads(() => new Date(at));
const { aClient, inFlight, postFile, postForm } = stage;

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

const text = (name: string, value: string) =>
  `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

/** A form with files of `size` bytes in all, of which the last piece is never sent. */
async function heldForm(size: number, client = aClient()) {
  const before = await inFlight();
  const held = line();
  const answer = postForm(held.body, client);
  for (let sent = 0; sent < size; sent += 4 * MB) {
    held.send(bytesOf(filePart(`${sent}.pdf`), new Uint8Array(Math.min(4 * MB, size - sent)), '\r\n'));
  }
  held.send(bytesOf(filePart('last.pdf'), 'x'.repeat(100)));
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
      steady.send(bytesOf(filePart(`${n}.pdf`), new Uint8Array(4 * MB), '\r\n'));
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
  const { status } = await postFile(bytesOf('%PDF-1.7\n', new Uint8Array(4.9 * MB), '\n%%EOF\n'), aClient());
  expect(status).toBe(200);
  expect((await larger.answer).status).toBe(503);
  expect([larger.isCut(), smaller.isCut()]).toEqual([true, false]);
  smaller.send(bytesOf(END));
  smaller.end();
  expect((await smaller.answer).status).toBe(422);
  expect(await inFlight()).toBe(0);
});

test('a form with little text is taken while uploads fill all there is', async () => {
  const [one, other] = [await heldForm(16 * MB), await heldForm(15.9 * MB)];
  const body = `${text('name', 'x'.repeat(60_000))}--x--\r\n`;
  const { status } = await postForm(body, { ...aClient(), 'content-length': String(body.length) });
  expect(status).toBe(422);
  for (const { send, end, answer } of [one, other]) {
    send(bytesOf(END));
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
      send(bytesOf(END));
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
    const ticket = await aTicket(stage.app);
    const held = await heldForm(0, client);
    for (let n = 0; n < 30; n += 1)
      expect((await postFile(pdf, { ...client, 'x-bot-check': ticket })).status).toBe(429);
    held.send(bytesOf(END));
    held.end();
    await held.answer;
    expect((await postFile(pdf, { ...client, 'x-bot-check': ticket })).status).toBe(200);
  });
});

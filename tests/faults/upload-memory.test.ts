import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { killAll, startUteProcess, type Ute } from '#tests/support/processes/processes.ts';
import { filePart } from '#tests/support/scenarios/limited-forms.ts';

const MB = 1024 * 1024;
const CONNECTIONS = 20;
const BODY = 26 * MB;
const PIECE = Buffer.alloc(256 * 1024, 'a');
/** What the process may grow by meanwhile, in bytes: what they send together is nine times as much. */
const MOST_GROWTH = 60 * MB;

/** Senders of a flood, each with an address of its own, and what the process takes of uploads at once. */
const [CROWD, BUDGET] = [32, 32 * MB];
/** What the process may grow by in a flood: the budget, and what stands in the sockets of a crowd. Together they send 832 MB. */
const MOST_IN_A_FLOOD = 160 * MB;

const folder = tempFolder('upload-memory');
let database: TestDatabase;
let ute: Ute;

beforeAll(async () => {
  database = await testDatabase();
  ute = await startUteProcess({
    ...{ DATABASE_URL: database.url, DATA_DIR: folder.path, LOG_LEVEL: 'silent' },
    ...{ RATE_LIMITS: 'on', TRUSTED_PROXIES: '1', UPLOAD_BUDGET_MB: String(BUDGET / MB) },
  });
});
afterAll(async () => {
  await killAll(ute ? [ute] : []);
  await database?.close();
  folder.remove();
});

/** What came of a sender: the first line of its answer, the bytes that left it, and whether its connection was ended. */
type Poured = Readonly<{ line: string; sent: number; isClosed: boolean }>;

/** Sends the head of a request and then as much of its body as is taken, for as long as there is no answer or end. */
async function pour(method: string, path: string, headers: readonly string[], start = ''): Promise<Poured> {
  const { port, host } = new URL(ute.url);
  const head = [`${method} ${path} HTTP/1.1`, `host: ${host}`, `content-length: ${BODY}`, ...headers];
  const socket = connect(Number(port), '127.0.0.1');
  let received = '';
  let isClosed = false;
  socket.on('data', (data) => {
    received += data.toString('latin1');
  });
  // The server may close before all is sent: that is an answer too.
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      isClosed = true;
      resolve();
    });
  });
  socket.write(`${head.join('\r\n')}\r\n\r\n${start}`);
  for (let sent = start.length; sent < BODY && !socket.destroyed; sent += PIECE.length) {
    if (!socket.write(PIECE)) await Promise.race([once(socket, 'drain').catch(() => {}), closed]);
  }
  const hasAnswer = () => received.includes('\r\n\r\n') || isClosed;
  await expect.poll(hasAnswer, { timeout: 30_000 }).toBe(true);
  if (/^connection: close$/im.test(received)) await closed;
  socket.destroy();
  const sent = socket.bytesWritten - socket.writableLength;
  return { line: received.split('\r\n')[0] ?? '', sent, isClosed };
}

/** Bytes of the process, as its own metrics tell. */
async function residentBytes(): Promise<number> {
  const { text } = await ute.client.get('/api/metrics');
  return Number(/^process_resident_memory_bytes (\d+)$/m.exec(text)?.[1]);
}

/** How much the process grows by at most while this is done. */
async function watched<T>(work: () => Promise<T>): Promise<{ growth: number; result: T }> {
  const before = await residentBytes();
  expect(before).toBeGreaterThan(10 * MB);
  let most = before;
  let isDone = false;
  const watching = (async () => {
    while (!isDone) most = Math.max(most, await residentBytes());
  })();
  const result = await work();
  isDone = true;
  await watching;
  return { growth: most - before, result };
}

const multipart = ['content-type: multipart/form-data; boundary=x', 'sec-fetch-site: same-origin'];
const refusals = [
  ['POST', '/t/nobody-is-here', multipart, 404],
  ['POST', '/api/public-forms/nobody-is-here/media', ['x-bot-check: x'], 404],
  ['PUT', '/api/settings/branding', ['content-type: application/json'], 403],
] as const;

test.each(refusals)(
  `${CONNECTIONS} that each send 26 MB to %s %s cost no more memory than a few`,
  async (method, path, headers, status) => {
    await pour(method, path, headers);
    const { growth, result } = await watched(() =>
      Promise.all(Array.from({ length: CONNECTIONS }, () => pour(method, path, headers))),
    );
    console.info(`${path}: ${Math.round(growth / MB)} MiB more for ${CONNECTIONS} at once`);
    const answers = result.map(({ line }) => line);
    // A sender who is cut off may lose the answer with the connection; of a crowd that comes at once only some are asked about.
    const refused = answers.filter((line) => line.includes(String(status)) || line.includes('503'));
    expect(answers.filter((line) => line !== '' && !refused.includes(line))).toEqual([]);
    expect(refused.length).toBeGreaterThan(CONNECTIONS / 4);
    expect(refused.filter((line) => line.includes(String(status))).length).toBeGreaterThan(2);
    expect(growth).toBeLessThan(MOST_GROWTH);
  },
);

/** A crowd that sends a form with a file larger than any may be, each from a client of its own. */
const flood = (path: string) =>
  Promise.all(
    Array.from({ length: CROWD }, (_, n) =>
      pour('POST', path, [...multipart, `x-forwarded-for: 203.0.113.${n}`], filePart('a.pdf')),
    ),
  );

function expectCutOff(senders: readonly Poured[]): void {
  const open = senders.filter(({ isClosed }) => !isClosed);
  // A few fit in the budget, and are read to their end.
  expect(open.length).toBeLessThan(CROWD / 4);
  const refused = senders.filter(({ isClosed }) => isClosed).map(({ line }) => line);
  expect(refused.filter((line) => line !== '' && !line.includes('503'))).toEqual([]);
  expect(refused.filter((line) => line.includes('503')).length).toBeGreaterThan(refused.length / 2);
  const sent = senders.reduce((sum, one) => sum + one.sent, 0);
  expect(sent).toBeLessThan((CROWD * BODY) / 2);
}

describe(`${CROWD} that each send 26 MB at once`, () => {
  const formPath = () => new URL(ute.publicForm ?? '', ute.url).pathname;

  test('to a form are read as far as the budget goes, and are cut off', async () => {
    await pour('POST', formPath(), multipart, filePart('a.pdf'));
    const { growth, result } = await watched(() => flood(formPath()));
    console.info(`a form: ${Math.round(growth / MB)} MiB more for ${CROWD} at once`);
    expectCutOff(result);
    expect(growth).toBeLessThan(MOST_IN_A_FLOOD);
    const { text } = await ute.client.get('/api/metrics');
    expect(text).toMatch(/^ute_upload_bytes 0$/m);
  });

  test('are not read while a slow database leaves their form unknown, and what was typed in a short one is kept', async () => {
    const slow = await database.admin.connect();
    try {
      await slow.query('begin');
      await slow.query('lock table read.public_forms in access exclusive mode');
      const { growth, result } = await watched(() => flood('/t/nobody-is-here'));
      console.info(`a slow database: ${Math.round(growth / MB)} MiB more for ${CROWD} at once`);
      expectCutOff(result);
      expect(result.filter(({ isClosed }) => !isClosed)).toEqual([]);
      expect(growth).toBeLessThan(MOST_IN_A_FLOOD);
      const typed = await ute.client.send('POST', formPath(), {
        body: new URLSearchParams({ name: 'Aroha Tāwhiri' }),
        headers: { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': '198.51.100.7' },
      });
      expect(typed.status).toBe(503);
      expect(typed.text).toContain('<input type="hidden" name="name" value="Aroha Tāwhiri">');
    } finally {
      await slow.query('rollback');
      slow.release();
    }
  });
});

import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { killAll, startUteProcess, type Ute } from '#tests/support/processes/processes.ts';

const MB = 1024 * 1024;
const CONNECTIONS = 20;
const BODY = 26 * MB;
const PIECE = Buffer.alloc(256 * 1024, 'a');
/** What the process may grow by meanwhile, in bytes: what they send together is nine times as much. */
const MOST_GROWTH = 60 * MB;

const folder = tempFolder('upload-memory');
let database: TestDatabase;
let ute: Ute;

beforeAll(async () => {
  database = await testDatabase();
  ute = await startUteProcess({ DATABASE_URL: database.url, DATA_DIR: folder.path, LOG_LEVEL: 'silent' });
});
afterAll(async () => {
  await killAll(ute ? [ute] : []);
  await database?.close();
  folder.remove();
});

/** Sends the head of a request and then as much of its body as is taken; answers the first line of what came back. */
async function pour(method: string, path: string, headers: readonly string[]): Promise<string> {
  const { port, host } = new URL(ute.url);
  const head = [`${method} ${path} HTTP/1.1`, `host: ${host}`, `content-length: ${BODY}`, ...headers];
  const socket = connect(Number(port), '127.0.0.1');
  let received = '';
  socket.on('data', (data) => {
    received += data.toString('latin1');
  });
  // The server may close before all is sent: that is an answer too.
  socket.on('error', () => {});
  const closed = once(socket, 'close').catch(() => {});
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  for (let sent = 0; sent < BODY && !socket.destroyed; sent += PIECE.length) {
    if (!socket.write(PIECE)) await Promise.race([once(socket, 'drain').catch(() => {}), closed]);
  }
  const hasAnswer = () => received.includes('\r\n\r\n') || socket.destroyed;
  await expect.poll(hasAnswer, { timeout: 30_000 }).toBe(true);
  socket.destroy();
  return received.split('\r\n')[0] ?? '';
}

/** Bytes of the process, as its own metrics tell. */
async function residentBytes(): Promise<number> {
  const { text } = await ute.client.get('/api/metrics');
  return Number(/^process_resident_memory_bytes (\d+)$/m.exec(text)?.[1]);
}

const form = ['content-type: multipart/form-data; boundary=x', 'sec-fetch-site: same-origin'];
const refusals = [
  ['POST', '/t/nobody-is-here', form, 404],
  ['POST', '/api/public-forms/nobody-is-here/media', ['x-bot-check: x'], 404],
  ['PUT', '/api/settings/branding', ['content-type: application/json'], 403],
] as const;

test.each(refusals)(
  `${CONNECTIONS} that each send 26 MB to %s %s cost no more memory than a few`,
  async (method, path, headers, status) => {
    await pour(method, path, headers);
    const before = await residentBytes();
    expect(before).toBeGreaterThan(10 * MB);
    let most = before;
    let isPouring = true;
    const watching = (async () => {
      while (isPouring) most = Math.max(most, await residentBytes());
    })();
    const answers = await Promise.all(Array.from({ length: CONNECTIONS }, () => pour(method, path, headers)));
    isPouring = false;
    await watching;
    console.info(`${path}: ${Math.round((most - before) / MB)} MiB more for ${CONNECTIONS} at once`);
    // A sender who is cut off may lose the answer with the connection.
    expect(answers.filter((line) => line !== '' && !line.includes(String(status)))).toEqual([]);
    expect(answers.filter((line) => line.includes(String(status))).length).toBeGreaterThan(CONNECTIONS / 2);
    expect(most - before).toBeLessThan(MOST_GROWTH);
  },
);

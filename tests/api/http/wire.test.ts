import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort, listen } from '#api/runtime/listen.ts';
import { type TestApp, testApp } from '#tests/support/app/api.ts';
import { readLive } from '#tests/support/app/api-client.ts';

/** Sends bytes as they are to a port of this machine; what came back once the first answer is whole, or the line closed. */
function rawRequest(port: number, bytes: string | Uint8Array): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let received = '';
  // An answer to HEAD announces a body that does not come.
  const headless = typeof bytes === 'string' && bytes.startsWith('HEAD ');
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
  const finish = () => {
    socket.destroy();
    resolve(received);
  };
  socket.on('data', (data) => {
    received += data.toString('latin1');
    const [head = '', body] = received.split('\r\n\r\n');
    const length = headless ? 0 : Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (body !== undefined && body.length >= length) finish();
  });
  socket.on('close', finish);
  socket.on('error', finish);
  return promise;
}

let api: TestApp;
let port: number;
let listening: ReturnType<typeof listen>;

beforeAll(async () => {
  api = await testApp({ pages: async () => new Response('a page') });
  port = freePort('127.0.0.1');
  listening = listen(api.app, { host: '127.0.0.1', port });
});
afterAll(async () => {
  await listening?.stop();
  await api?.close();
});

const POST = 'POST /api/client-errors HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
const statusOf = (answer: string) => Number(answer.split(' ')[1]);

describe('what a socket can send and a browser cannot', () => {
  test.each([
    ['a Host of one letter', 'GET /api/health/live HTTP/1.1\r\nHost: x\r\n\r\n', 200],
    [
      'an address with its origin',
      'GET http://evil.example/api/health/live HTTP/1.1\r\nHost: x\r\n\r\n',
      200,
    ],
    ['a Host that is none', 'GET /api/health/live HTTP/1.1\r\nHost: a b%%\r\n\r\n', 400],
    ['broken percent signs', 'GET /api/%zz HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    ['HEAD of what has GET', 'HEAD /api/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n', 200],
    ['TRACE', 'TRACE /api/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n', 405],
    ['a body of a gigabyte, announced', `${POST}Content-Length: 1073741824\r\n\r\n{`, 413],
    [
      'a body beyond the limit, in chunks',
      `${POST}Transfer-Encoding: chunked\r\n\r\n20000\r\n${' '.repeat(0x20000)}\r\n0\r\n\r\n`,
      413,
    ],
  ])('%s', async (_name, bytes, status) => {
    const answer = await rawRequest(port, bytes);
    expect(statusOf(answer)).toBe(status);
    expect(answer.toLowerCase()).toContain('x-content-type-options: nosniff');
    expect(answer).not.toMatch(/<html|at .*\.ts/);
  });

  test.each([
    ['two lengths that disagree', `${POST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['no Host', 'GET /api/health/live HTTP/1.1\r\n\r\n'],
    ['headers without end', `GET /api/health/live HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(100_000)}\r\n\r\n`],
  ])('%s: refused before it is a request', async (_name, bytes) => {
    expect(statusOf(await rawRequest(port, bytes))).toBeGreaterThanOrEqual(400);
  });
});

test('the path that is checked is the path that is routed, whatever the Host', async () => {
  const form = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n\r\na=b';
  const answer = await rawRequest(port, `POST /aaa/api/client-errors HTTP/1.1\r\nHost: x\r\n${form}`);
  expect(statusOf(answer)).toBe(405);
});

test('a live stream reaches the client at once and ends with the session', async () => {
  const dave = await api.signIn();
  const response = await fetch(`http://127.0.0.1:${port}/api/live`, {
    headers: { authorization: `Bearer ${dave.token}` },
  });
  const live = readLive(response);
  expect(await live.until(': open')).toMatch(/^: open\n\n/);
  await dave.post('/api/authenticate/logout');
  await live.ended;
});

import { connect } from 'node:net';

/** Sends bytes as they are to a port of this machine; what came back once the first answer is whole, or the line closed. */
export function rawRequest(port: number, bytes: string | Uint8Array): Promise<string> {
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

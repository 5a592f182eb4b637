import { connect } from 'node:net';
import type { VirusScanSettings } from '#api/runtime/config/providers.ts';
import { OutageError } from '#core/kernel/errors.ts';

/** How long a file may be looked at, in milliseconds. */
const TIMEOUT = 10_000;
const CHUNK = 64 * 1024;

/**
 * Whether clamd finds nothing in a file. Throws `OutageError` when it is unavailable, too slow, or answers anything but yes or
 * no: a file that could not be scanned is not accepted.
 */
export async function isClean(
  settings: VirusScanSettings,
  bytes: Uint8Array,
  timeout = TIMEOUT,
): Promise<boolean> {
  const verdict = await ask(settings, bytes, timeout).catch((cause: unknown) => {
    throw new OutageError('the virus scanner is unavailable', { cause });
  });
  if (verdict === 'stream: OK') return true;
  if (/^stream: .+ FOUND$/.test(verdict)) return false;
  throw new OutageError('the virus scanner cannot look at this');
}

/** INSTREAM of clamd's protocol: pieces with their lengths before them, an empty one last, then a line that ends with NUL. */
function ask({ host, port }: VirusScanSettings, bytes: Uint8Array, timeout: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect({ host, port });
  const timer = setTimeout(() => socket.destroy(new Error('took too long')), timeout);
  let answer = '';
  socket.on('connect', () => {
    socket.write('zINSTREAM\0');
    for (let at = 0; at < bytes.length; at += CHUNK) writePiece(bytes.subarray(at, at + CHUNK));
    writePiece(new Uint8Array(0));
  });
  socket.on('data', (data) => {
    answer += data.toString('latin1');
    if (answer.includes('\0')) socket.end();
  });
  socket.on('error', reject);
  socket.on('close', () => resolve(answer.split('\0', 1)[0]?.trim() ?? ''));
  return promise.finally(() => {
    clearTimeout(timer);
    socket.destroy();
  });

  function writePiece(piece: Uint8Array): void {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(piece.length);
    socket.write(length);
    socket.write(piece);
  }
}

import { createServer, type Socket } from 'node:net';

/** The text that every virus scanner takes for a virus, in two pieces so that none finds it here. */
export const eicar = `X5O!P%@AP[4\\PZX54(P^)7CC)7}$${'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'}`;

export type ClamdServer = Readonly<{
  port: number;
  /** Says what it does from now on; `scan`: its work. */
  become(how: 'scan' | 'hang' | 'overflow' | 'hang-up'): void;
  stop(): Promise<void>;
}>;

/** A scanner on this machine that speaks clamd's INSTREAM and knows one virus. */
export async function clamdServer(): Promise<ClamdServer> {
  let how: Parameters<ClamdServer['become']>[0] = 'scan';
  const server = createServer((socket) => {
    let received = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', (data: Buffer) => {
      if (how === 'hang') return;
      if (how === 'hang-up') return void socket.destroy();
      received = Buffer.concat([received, data]);
      const stream = streamOf(received);
      if (stream) answer(socket, stream, how);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    port,
    become: (next) => {
      how = next;
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function answer(socket: Socket, stream: Buffer, how: string): void {
  if (how === 'overflow') socket.end('INSTREAM size limit exceeded. ERROR\0');
  else socket.end(stream.includes(eicar) ? 'stream: Eicar-Signature FOUND\0' : 'stream: OK\0');
}

/** What was streamed, once all of it has arrived. */
function streamOf(received: Buffer): Buffer | null {
  const command = 'zINSTREAM\0';
  if (received.subarray(0, command.length).toString('latin1') !== command) return null;
  const pieces: Buffer[] = [];
  for (let at = command.length; at + 4 <= received.length; ) {
    const length = received.readUInt32BE(at);
    if (length === 0) return Buffer.concat(pieces);
    pieces.push(received.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return null;
}

import { connect, createServer, type Socket } from 'node:net';

/** A proxy before a server that can be cut off, as a restart or a cut cable does, and opened again. */
export type TcpGate = Readonly<{
  /** The same address through the gate. */
  url: string;
  /** Cuts what is connected and refuses what comes. */
  shut(): void;
  open(): void;
  /** What is connected goes dead without a word; new connections work. */
  stall(): void;
  /** As a process that is stopped: connections are accepted, and nothing passes either way until `thaw`. */
  freeze(): void;
  /** What was sent meanwhile arrives. */
  thaw(): void;
  /**
   * Once a connection has sent bytes that hold this text, they arrive and no answer to them does. What is connected
   * otherwise goes on.
   */
  loseAnswersAfter(text: string): void;
  close(): Promise<void>;
}>;

/** Listens on a free port of this machine and passes bytes to and from the host and port of `target`. */
export async function tcpGate(target: string): Promise<TcpGate> {
  const url = new URL(target);
  const [host, port] = [url.hostname, Number(url.port)];
  const sockets = new Set<Socket>();
  const dead = new WeakSet<Socket>();
  let isOpen = true;
  let fatal: string | undefined;
  let frozen: (() => void)[] | null = null;
  const later = (work: () => void) => (frozen ? void frozen.push(work) : work());
  const server = createServer((client) => {
    client.on('error', () => client.destroy());
    if (!isOpen) {
      client.destroy();
      return;
    }
    const upstream = connect({ host, port });
    client.on('data', (bytes) => fatal !== undefined && bytes.includes(fatal) && dead.add(upstream));
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('data', (bytes) => dead.has(socket) || later(() => other.write(bytes)));
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        later(() => other.destroy());
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  url.hostname = '127.0.0.1';
  url.port = String(address.port);
  const cut = () => {
    for (const socket of [...sockets]) socket.destroy();
  };
  return {
    url: url.href,
    shut() {
      isOpen = false;
      cut();
    },
    open() {
      isOpen = true;
    },
    stall() {
      for (const socket of sockets) dead.add(socket);
    },
    freeze() {
      frozen ??= [];
    },
    thaw() {
      const held = frozen ?? [];
      frozen = null;
      for (const work of held) work();
    },
    loseAnswersAfter(text) {
      fatal = text;
    },
    close() {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

import { execFileSync } from 'node:child_process';
import { connect, createServer, type Socket } from 'node:net';
import { clusterOf } from '#api/runtime/postgres/cluster.ts';
import { findClusterHome, findPostgresBinaries } from '#api/runtime/postgres/cluster-home.ts';
import {
  type EmbeddedPostgres,
  isRunning,
  readPostmaster,
  startEmbeddedPostgres,
} from '#api/runtime/postgres/embedded-postgres.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';

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

const signals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;

/** A Postgres that a test may stop and start again, on the same port with the same data. */
export type OwnPostgres = Readonly<{
  /** Its addresses as a process of Ute is given them. */
  environment: Readonly<{ DATABASE_URL: string; MIGRATION_DATABASE_URL: string }>;
  url: string;
  /** `immediate` is a crash: the next start recovers. Resolves once the server is gone. */
  stop(how: keyof typeof signals): Promise<void>;
  start(): Promise<void>;
  /** Holds every process of the server where it is, as a machine does that hangs; `thaw` lets them go on. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  close(): Promise<void>;
}>;

export async function ownPostgres(): Promise<OwnPostgres> {
  const folder = tempFolder('postgres');
  const cluster = clusterOf(findClusterHome(folder.path, findPostgresBinaries()));
  let server: EmbeddedPostgres | undefined = await startEmbeddedPostgres({ dataDir: folder.path });
  const { url, ownerUrl } = server;
  const leases = [server];
  async function running() {
    const postmaster = await readPostmaster(cluster);
    if (!postmaster) throw new Error('Postgres does not run');
    return postmaster;
  }

  async function signalAll(signal: NodeJS.Signals): Promise<void> {
    const { pid } = await running();
    // First the one that begins others: then those there are can only become fewer.
    process.kill(pid, signal);
    for (const one of childrenOf(pid)) signalUnlessGone(one, signal);
  }

  return {
    environment: { DATABASE_URL: url, MIGRATION_DATABASE_URL: ownerUrl },
    url,
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    async stop(how) {
      const postmaster = await running();
      process.kill(postmaster.pid, signals[how]);
      while (isRunning(postmaster, cluster)) await Bun.sleep(10);
      server = undefined;
    },
    async start() {
      server = await startEmbeddedPostgres({ dataDir: folder.path });
      leases.push(server);
      if (server.url !== url) throw new Error('Postgres came back on another port');
    },
    async close() {
      for (const lease of leases) await lease.stop();
      folder.remove();
    },
  };
}

function signalUnlessGone(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function childrenOf(parent: number): number[] {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const ids = processes.map((line) => line.trim().split(/\s+/).map(Number));
  return ids.flatMap(([pid, ppid]) => (pid !== undefined && ppid === parent ? [pid] : []));
}

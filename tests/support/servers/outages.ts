import { connect, createServer, type Socket } from 'node:net';
import type { Pool, PoolClient } from 'pg';
import type { Deps } from '#api/deps.ts';
import type { FileStore } from '#api/providers/files.ts';
import { EventStoreUnavailableError } from '#core/event-store/errors.ts';
import type { EventStore } from '#core/event-store/port.ts';
import { OutageError } from '#core/kernel/errors.ts';
import { everyFault } from '#tests/support/run/fault-rounds.ts';

export type FlakyStore = Readonly<{
  wrap(store: EventStore): EventStore;
  /** From now on the store is unavailable: nothing is read or appended. */
  becomeUnavailable(): void;
  /** The next appends happen, but their answers are lost: this many. */
  loseAnswers(count: number): void;
  comeBack(): void;
  /** How many appends reached the store. */
  appends(): number;
}>;

/** A real store that can be made to fail as a network does. */
export function flakyStore(): FlakyStore {
  let unavailable = false;
  let losing = 0;
  let appends = 0;
  const fail = () => {
    throw new EventStoreUnavailableError('away');
  };
  return {
    becomeUnavailable: () => {
      unavailable = true;
    },
    loseAnswers: (count) => {
      losing = count;
    },
    comeBack: () => {
      unavailable = false;
      losing = 0;
    },
    appends: () => appends,
    wrap: (store) => ({
      ...store,
      readStream: async (...args) => (unavailable ? fail() : store.readStream(...args)),
      append: async (...args) => {
        if (unavailable) fail();
        appends += 1;
        const result = await store.append(...args);
        if (losing === 0) return result;
        losing -= 1;
        return fail();
      },
    }),
  };
}

export type FlakyFiles = Readonly<{
  wrap(files: FileStore): FileStore;
  /** From now on nothing is stored or read. */
  becomeUnavailable(): void;
  comeBack(): void;
}>;

/** A real store of files that can be made to fail. */
export function flakyFiles(): FlakyFiles {
  let unavailable = false;
  return {
    becomeUnavailable: () => {
      unavailable = true;
    },
    comeBack: () => {
      unavailable = false;
    },
    wrap: (files) => ({
      ...files,
      put: (...args) => (unavailable ? Promise.reject(new OutageError('away')) : files.put(...args)),
      get: (...args) => (unavailable ? Promise.reject(new OutageError('away')) : files.get(...args)),
    }),
  };
}

/** A call that is never made, or one that does its work and whose answer is lost; by turns, the first such call is not made. */
export type Failure = 'not-made' | 'answer-lost' | 'by-turns';

/** What a sweep tries: each call fails in one of the two ways, and in both of them by `bun run faults`. */
export const failures: readonly Failure[] = everyFault ? ['not-made', 'answer-lost'] : ['by-turns'];

export type FailingCalls = Readonly<{
  /** The same dependencies, with every call to the log, the database, the read side and the files counted. */
  wrap(deps: Deps): Deps;
  /** Of the calls from here on the n-th fails, counted from 1; those before and after it work. */
  failAt(n: number, failure: Failure): void;
  /** Nothing fails any more; answers whether the failure was met. */
  disarm(): boolean;
}>;

type Method = (...args: never[]) => Promise<unknown>;

const logUnavailable = () => new EventStoreUnavailableError('away');
const databaseUnavailable = () =>
  Object.assign(new Error('the connection was reset'), { code: 'ECONNRESET' });

/** The fault port of a sweep: one failure, at one call. */
export function failingCalls(): FailingCalls {
  let left = 0;
  let failure: Failure = 'not-made';

  async function through<T>(work: () => Promise<T>, lost: () => Error): Promise<T> {
    left -= 1;
    if (left !== 0) return work();
    if (failure === 'answer-lost') await work();
    throw lost();
  }

  /** The target, with these of its methods counted. */
  function counting<T extends object>(target: T, names: readonly (keyof T)[], lost: () => Error): T {
    return new Proxy(target, {
      get(_, name) {
        const member = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        if (!names.includes(name as keyof T)) return member.bind(target);
        return (...args: never[]) => through(() => (member as Method).apply(target, args), lost);
      },
    });
  }

  function countingPool(pool: Pool): Pool {
    const connect = async (): Promise<PoolClient> => {
      const client = await pool.connect();
      return counting(client, ['query'], databaseUnavailable);
    };
    return counting(withMember(pool, 'connect', connect), ['query'], databaseUnavailable);
  }

  return {
    wrap: (deps) => ({
      ...deps,
      db: countingPool(deps.db),
      store: counting(deps.store, ['append', 'readStream', 'readAll', 'head'], logUnavailable),
      readSide: counting(deps.readSide, ['waitFor', 'status'], databaseUnavailable),
      files: counting(deps.files, ['put', 'get', 'remove'], () => new OutageError('away')),
    }),
    failAt(n, how) {
      left = n;
      failure = how !== 'by-turns' ? how : n % 2 === 1 ? 'not-made' : 'answer-lost';
    },
    disarm() {
      const met = left <= 0;
      left = 0;
      return met;
    },
  };
}

/** More calls than any operation makes: a sweep that gets there goes round in circles. */
const ENDLESS = 200;

/**
 * Runs a trial for the first, second, … call of an operation, until it answers that it did not meet its failure: there are no more
 * calls. A trial that fails throws with the number of its call.
 * @returns how many calls there were
 */
export async function sweepCalls(trial: (n: number) => Promise<boolean>, endless = ENDLESS): Promise<number> {
  for (let n = 1; n < endless; n += 1) {
    let isMet: boolean;
    try {
      isMet = await trial(n);
    } catch (error) {
      throw new Error(`with call ${n} failing: ${(error as Error).message}`, { cause: error });
    }
    if (!isMet) return n - 1;
  }
  throw new Error('the sweep found no end');
}

/** The target with one member of the caller's own. */
function withMember<T extends object, K extends keyof T>(target: T, name: K, member: unknown): T {
  return new Proxy(target, {
    get(_, wanted) {
      if (wanted === name) return member;
      const found = Reflect.get(target, wanted);
      return typeof found === 'function' ? found.bind(target) : found;
    },
  });
}

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
  // An address of Postgres may name a socket beside its port.
  url.searchParams.delete('host');
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

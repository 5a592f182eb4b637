import { Client, type Pool, type PoolConfig } from 'pg';
import { inject, vi } from 'vitest';
import { forAllBusinesses } from '#api/runtime/database.ts';
import { SessionPool } from '#core/postgres/session.ts';
import { cloneTemplate, dropDatabase, type Server } from './postgres.ts';

/** A database by its three logins: the application's (`url`; `pool`, which acts for all businesses), its owner's, and the server's administrator. */
export type TestDatabase = Server &
  Readonly<{
    pool: Pool;
    /** For what the application may not do, such as to tamper with the log. */
    admin: Pool;
    /** Closes the pools and drops the database. */
    close(): Promise<void>;
  }>;

/** A migrated, empty database of its own: one per test file, `beforeAll` to `afterAll`. */
export async function testDatabase(): Promise<TestDatabase> {
  const server = inject('database');
  const own = await cloneTemplate(server, server.template);
  const pool = testPool(forAllBusinesses(own.url));
  const admin = testPool(own.adminUrl, 2);
  const close = async () => {
    await Promise.all([pool.end(), admin.end()]);
    await dropDatabase(server.adminUrl, new URL(own.url).pathname.slice(1));
  };
  return { ...own, pool, admin, close };
}

/** Sessions that outlive the drop of their database without taking the test with them. */
export function testPool(connectionString: string, max = 10, options: PoolConfig = {}): Pool {
  const pool = new SessionPool({ connectionString, max, ...options });
  pool.on('error', () => {});
  return pool;
}

/** For how long nothing may be asked before what a request led to counts as finished, in milliseconds. */
const QUIET_MS = 250;
/** How often an operation is measured at most: what a process asks by a timer, on a busy machine too, does not meet them all. */
const MOST_ROUNDS = 10;
/** Of a statement's text. */
const LONGEST = 200;
const UNCOUNTED = /^\s*(begin|commit|rollback|set statement_timeout)\b/i;

/** What was asked of Postgres, each statement on one line, in the order in which it was sent. */
export type Asked = readonly string[];

export type StatementCount = Readonly<{
  /**
   * Prepares and runs an operation, each time until nothing has been asked for a while, until it has asked `enough` or less;
   * answers the statements of the run with the fewest. `begin`, `commit`, `rollback` and what a new session sets are not counted, what the followers
   * of the log ask is.
   */
  of<Prepared>(
    enough: number,
    prepare: () => Promise<Prepared>,
    run: (prepared: Prepared) => Promise<unknown>,
  ): Promise<Asked>;
  stop(): void;
}>;

/** Counts the statements that all pools and connections of this process send, from the moment of the call. */
export function countStatements(): StatementCount {
  let asked: string[] = [];
  let inFlight = 0;
  let lastAt = 0;
  const send = Client.prototype.query as (...args: unknown[]) => unknown;
  const spy = vi.spyOn(Client.prototype, 'query').mockImplementation(function (
    this: Client,
    ...args: unknown[]
  ) {
    const text = textOf(args[0]);
    lastAt = performance.now();
    if (!UNCOUNTED.test(text)) asked.push(text.replace(/\s+/g, ' ').trim().slice(0, LONGEST));
    inFlight += 1;
    const end = () => {
      inFlight -= 1;
      lastAt = performance.now();
    };
    const last = args.findLastIndex((arg) => typeof arg === 'function');
    if (last > 0) {
      const callback = args[last] as (...results: unknown[]) => void;
      args[last] = (...results: unknown[]) => {
        end();
        callback(...results);
      };
      return send.apply(this, args);
    }
    const answer = send.apply(this, args);
    if (answer instanceof Promise) answer.then(end, end);
    else end();
    return answer;
  } as never);

  async function quiet(): Promise<void> {
    await vi.waitUntil(() => inFlight === 0 && performance.now() - lastAt > QUIET_MS, {
      timeout: 20_000,
      interval: 20,
    });
  }

  return {
    async of(enough, prepare, run) {
      let fewest: Asked | undefined;
      for (let round = 0; round < MOST_ROUNDS; round += 1) {
        const prepared = await prepare();
        await quiet();
        asked = [];
        await run(prepared);
        await quiet();
        if (fewest === undefined || asked.length < fewest.length) fewest = asked;
        asked = [];
        if (fewest.length <= enough) break;
      }
      return fewest ?? [];
    },
    stop: () => spy.mockRestore(),
  };
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  if (typeof query === 'object' && query !== null) {
    if ('text' in query && typeof query.text === 'string') return query.text;
    if ('statement' in query && typeof query.statement === 'string') return query.statement;
  }
  return 'unknown';
}

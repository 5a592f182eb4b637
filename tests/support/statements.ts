import { Client } from 'pg';
import { vi } from 'vitest';

/** For how long nothing may be asked before what a request led to counts as finished, in milliseconds. */
const QUIET_MS = 250;
/** How often each operation is measured: what a process asks by a timer meets one of them at most. */
const ROUNDS = 3;
const UNCOUNTED = /^\s*(begin|commit|rollback)\b/i;

/** What was asked of Postgres, each statement on one line, in the order in which it was sent. */
export type Asked = readonly string[];

export type StatementCount = Readonly<{
  /**
   * Prepares and runs an operation some times, each time until nothing has been asked for a while, and answers the statements
   * of the run with the fewest. `begin`, `commit` and `rollback` are not counted, what the followers of the log ask is.
   */
  of<Prepared>(
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
    if (!UNCOUNTED.test(text)) asked.push(text.replace(/\s+/g, ' ').trim());
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
    async of(prepare, run) {
      let fewest: Asked | undefined;
      for (let round = 0; round < ROUNDS; round += 1) {
        const prepared = await prepare();
        await quiet();
        asked = [];
        await run(prepared);
        await quiet();
        if (fewest === undefined || asked.length < fewest.length) fewest = asked;
        asked = [];
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

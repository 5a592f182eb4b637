import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export type Worker<Order, Answer> = Readonly<{
  child: ChildProcess;
  /** What came of an order, or the signal that ended the process in the middle of it. */
  carryOut(order: Order): Promise<Answer | NodeJS.Signals>;
  /** Ends it however it stands. */
  kill(): Promise<void>;
  ended: Promise<NodeJS.Signals | null>;
}>;

/** Starts a script of `takeOrders`, with words that it finds among its arguments. */
export function startWorker<Order, Answer>(script: string, words: readonly string[]): Worker<Order, Answer> {
  const child = spawn(process.execPath, [script, ...words], { stdio: ['pipe', 'pipe', 'inherit'] });
  // A process that is killed reads no more: its end says so.
  child.stdin.on('error', () => {});
  const lines = createInterface(child.stdout);
  const ended: Promise<NodeJS.Signals | null> = once(child, 'exit').then(([, signal]) => signal);
  return {
    child,
    ended,
    async carryOut(order) {
      const answer = once(lines, 'line').then(([line]) => ({ answer: JSON.parse(line) as Answer }));
      child.stdin.write(`${JSON.stringify(order)}\n`);
      const outcome = await Promise.race([answer, ended]);
      if (outcome === null) throw new Error(`The worker ended with exit code ${child.exitCode}.`);
      return typeof outcome === 'string' ? outcome : outcome.answer;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export type Workers<Order, Answer> = Pick<Worker<Order, Answer>, 'carryOut'> &
  Readonly<{ close(): Promise<void> }>;

/** Workers of one script: an order goes to one that carried out all of its own, or to a new one where each is busy or was killed. */
export function workersOf<Order, Answer>(
  script: string,
  words: () => readonly string[],
): Workers<Order, Answer> {
  const running = new Set<Worker<Order, Answer>>();
  const idle: Worker<Order, Answer>[] = [];
  function start(): Worker<Order, Answer> {
    const worker = startWorker<Order, Answer>(script, words());
    running.add(worker);
    void worker.ended.then(() => running.delete(worker));
    return worker;
  }
  return {
    async carryOut(order) {
      const worker = idle.pop() ?? start();
      const outcome = await worker.carryOut(order);
      if (worker.child.signalCode === null) idle.push(worker);
      return outcome;
    },
    async close() {
      await Promise.all([...running].map((worker) => worker.kill()));
    },
  };
}

/** In a worker: carries out one order after the other as they come, and says what came of each; ends with its caller. */
export async function takeOrders<Order>(carryOut: (order: Order) => Promise<unknown>): Promise<void> {
  for await (const line of createInterface(process.stdin)) {
    const answer = await carryOut(JSON.parse(line));
    process.stdout.write(`${JSON.stringify(answer ?? null)}\n`);
  }
  process.exit();
}

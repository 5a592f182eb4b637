import { EventStoreUnavailableError } from '../errors.ts';

export type Groups<Wish, Answer> = Readonly<{
  /** Serves a group at once, answers in the order of its wishes. What it throws befalls all of them. */
  send(wishes: readonly Wish[]): Promise<readonly PromiseSettledResult<Answer>[]>;
  weigh(wish: Wish): number;
  /** Bounds of a group. A wish that is heavier than that goes alone. */
  most: number;
  heaviest: number;
  /** The longest that a wish waits for its answer. */
  timeoutMs: number;
}>;

type Waiting<Wish, Answer> = Readonly<{
  wish: Wish;
  resolve(answer: Answer): void;
  reject(reason: unknown): void;
}>;

/**
 * Makes of `send` a function for single wishes. One group is in flight at a time; what comes meanwhile goes with the
 * next, in order of arrival. Throws `EventStoreUnavailableError` when the answer does not come in time.
 */
export function createGroups<Wish, Answer>(options: Groups<Wish, Answer>): (wish: Wish) => Promise<Answer> {
  const { timeoutMs } = options;
  const queue = new Set<Waiting<Wish, Answer>>();
  let running = false;

  async function run(): Promise<void> {
    running = true;
    // Whoever was just answered and asks again in the same turn of the event loop goes with those who waited.
    while (await nextTurn(queue)) await serve(take(queue, options), options);
    running = false;
  }

  return (wish) =>
    new Promise((resolve, reject) => {
      const waiting = { wish, resolve: settle(resolve), reject: settle(reject) };
      const timer = setTimeout(() => {
        queue.delete(waiting);
        reject(new EventStoreUnavailableError('no answer in time'));
      }, timeoutMs);
      function settle<T>(next: (value: T) => void) {
        return (value: T) => {
          clearTimeout(timer);
          next(value);
        };
      }
      queue.add(waiting);
      if (!running) void run();
    });
}

function nextTurn(queue: ReadonlySet<unknown>): Promise<boolean> {
  return new Promise((resolve) => setImmediate(() => resolve(queue.size > 0)));
}

function take<Wish, Answer>(
  queue: Set<Waiting<Wish, Answer>>,
  { weigh, most, heaviest }: Groups<Wish, Answer>,
): Waiting<Wish, Answer>[] {
  const group: Waiting<Wish, Answer>[] = [];
  let weight = 0;
  for (const waiting of queue) {
    weight += weigh(waiting.wish);
    if (group.length === most || (group.length > 0 && weight > heaviest)) break;
    group.push(waiting);
    queue.delete(waiting);
  }
  return group;
}

async function serve<Wish, Answer>(
  group: readonly Waiting<Wish, Answer>[],
  { send }: Groups<Wish, Answer>,
): Promise<void> {
  try {
    const answers = await send(group.map(({ wish }) => wish));
    for (const [index, { resolve, reject }] of group.entries()) {
      const answer = answers[index];
      if (answer?.status === 'fulfilled') resolve(answer.value);
      else reject(answer?.reason);
    }
  } catch (reason) {
    for (const { reject } of group) reject(reason);
  }
}

import { EventStoreUnavailableError } from '#core/event-store/errors.ts';

export type Groups<Item, Answer> = Readonly<{
  /** Serves a group at once, answers in the order of its items. What it throws befalls all of them. */
  send(items: readonly Item[]): Promise<readonly PromiseSettledResult<Answer>[]>;
  weigh(item: Item): number;
  /** Bounds of a group. An item that is heavier than that goes alone. */
  most: number;
  heaviest: number;
  /** The longest that an item waits for its answer. */
  timeoutMs: number;
}>;

type Waiting<Item, Answer> = Readonly<{
  item: Item;
  resolve(answer: Answer): void;
  reject(reason: unknown): void;
}>;

/**
 * Makes of `send` a function for single items. One group is in flight at a time; what comes meanwhile goes with the
 * next, in order of arrival. Throws `EventStoreUnavailableError` when the answer does not come in time.
 */
export function createGroups<Item, Answer>(options: Groups<Item, Answer>): (item: Item) => Promise<Answer> {
  const { timeoutMs } = options;
  const queue = new Set<Waiting<Item, Answer>>();
  let running = false;

  async function run(): Promise<void> {
    running = true;
    // A caller that was just answered and asks again in the same turn of the event loop goes with those that waited.
    while (await nextTurn(queue)) await serve(take(queue, options), options);
    running = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const waiting = { item, resolve: settle(resolve), reject: settle(reject) };
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

function take<Item, Answer>(
  queue: Set<Waiting<Item, Answer>>,
  { weigh, most, heaviest }: Groups<Item, Answer>,
): Waiting<Item, Answer>[] {
  const group: Waiting<Item, Answer>[] = [];
  let weight = 0;
  for (const waiting of queue) {
    weight += weigh(waiting.item);
    if (group.length === most || (group.length > 0 && weight > heaviest)) break;
    group.push(waiting);
    queue.delete(waiting);
  }
  return group;
}

async function serve<Item, Answer>(
  group: readonly Waiting<Item, Answer>[],
  { send }: Groups<Item, Answer>,
): Promise<void> {
  try {
    const answers = await send(group.map(({ item }) => item));
    for (const [index, { resolve, reject }] of group.entries()) {
      const answer = answers[index];
      if (answer?.status === 'fulfilled') resolve(answer.value);
      else reject(answer?.reason);
    }
  } catch (reason) {
    for (const { reject } of group) reject(reason);
  }
}

import {
  comparePositions,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '#core/event-store/port.ts';

export type PageOptions = Readonly<{
  /** The last position wanted; without it, the end of the log. */
  upTo?: Position | undefined;
  /** Events of the next page. */
  size(): number;
  /** How many pages are fetched while one is worked on. */
  ahead: number;
}>;

type Page = Readonly<{ events: readonly RecordedEvent[]; isLast: boolean }>;

/** Pages of the log after `from`, in order. */
export async function* readPages(
  store: EventStore,
  from: Position,
  { upTo, size, ahead }: PageOptions,
): AsyncGenerator<readonly RecordedEvent[]> {
  const fetched: Promise<Page>[] = [];
  let next = () => readPage(store, from, size(), upTo);
  const fetchMore = (most: number) => {
    while (fetched.length < most) {
      const page = next();
      // It is awaited in its turn; until then a failure must not count as unhandled.
      page.catch(() => {});
      fetched.push(page);
      next = () => page.then((before) => follow(store, before, size(), upTo));
    }
  };
  for (;;) {
    fetchMore(1);
    const page = await fetched.shift();
    if (page === undefined || page.events.length === 0) return;
    if (!page.isLast) fetchMore(ahead);
    yield page.events;
    if (page.isLast) return;
  }
}

async function follow(
  store: EventStore,
  { events, isLast }: Page,
  size: number,
  upTo: Position | undefined,
): Promise<Page> {
  const last = events.at(-1);
  return isLast || last === undefined ? { events: [], isLast } : readPage(store, last.position, size, upTo);
}

async function readPage(
  store: EventStore,
  after: Position,
  size: number,
  upTo: Position | undefined,
): Promise<Page> {
  const page = await store.readAll(after, size);
  const events =
    upTo === undefined ? page : page.filter(({ position }) => comparePositions(position, upTo) <= 0);
  return { events, isLast: events.length < size };
}

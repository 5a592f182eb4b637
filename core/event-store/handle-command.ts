import type { Command } from '#core/kernel/command.ts';
import { type Decider, fold } from '#core/kernel/decider.ts';
import { ConflictError } from '#core/kernel/errors.ts';
import type { Event } from '#core/kernel/event.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { EventStoreUnavailableError, UnreadableEventError, WrongExpectedRevisionError } from './errors.ts';
import { pause } from './outage.ts';
import { type AppendResult, type EventStore, type NewEvent, type Position, START } from './port.ts';
import { uuidV5 } from './uuid.ts';

const TRIES = 4;

/** `commandId` is a UUID: the same one again is the same wish, and answers what became of it. */
export type CommandContext = Readonly<{ commandId: string; actor: string; correlation: string }>;

/** `state` holds all up to `revision` (-1 for an empty stream), at `position`; `events` are the command's own. */
export type Handled<State, E extends Event> = Readonly<{
  state: State;
  events: readonly E[];
  revision: number;
  position: Position;
}>;

type History<State, E extends Event> = Handled<State, E>;

/**
 * Reads a stream, lets the decider decide, appends what follows. Decides again when the stream moved meanwhile, and throws
 * `ConflictError` when it keeps moving. Throws `UnreadableEventError` rather than decide on half a history, whatever
 * the decider throws, and `EventStoreUnavailableError` when the outcome stays unknown: then call again with the same id.
 */
export async function handleCommand<State, C extends Command, E extends Event>(
  store: EventStore,
  decider: Decider<State, C, E>,
  stream: StreamName,
  command: C,
  context: CommandContext,
): Promise<Handled<State, E>> {
  const eventId = (index: number) => uuidV5(context.commandId, `${stream}/${command.type}/${index}`);
  let history: History<State, E> = {
    state: decider.initialState,
    events: [],
    revision: -1,
    position: START,
  };
  for (let attempt = 1; ; attempt += 1) {
    history = await readOn(store, decider, stream, history, eventId);
    if (history.events.length > 0) return history;
    const events = decider.decide(command, history.state);
    if (events.length === 0) return history;
    try {
      const ids = events.map((event, index) => ({ id: eventId(index), event }));
      const { revision, position } = await appendSurely(store, stream, history.revision, ids, {
        at: command.at,
        actor: context.actor,
        causation: context.commandId,
        correlation: context.correlation,
      });
      return { state: fold({ ...decider, initialState: history.state }, events), events, revision, position };
    } catch (error) {
      if (!(error instanceof WrongExpectedRevisionError)) throw error;
      if (attempt === TRIES)
        throw new ConflictError('This was changed at the same moment. Please try again.');
      await pause(Math.random() * 10 * 2 ** attempt);
    }
  }
}

/** Folds what was appended since `seen`, and picks out the events that this very command left there before. */
async function readOn<State, E extends Event>(
  store: EventStore,
  decider: Decider<State, never, E>,
  stream: StreamName,
  seen: History<State, E>,
  eventId: (index: number) => string,
): Promise<History<State, E>> {
  const recorded = await store.readStream(stream, seen.revision + 1);
  const facts = recorded.map(({ event, ...place }) => {
    if (!event) throw new UnreadableEventError(place.stream, place.revision, place.unreadable ?? 'unknown');
    return event as E;
  });
  const first = recorded.findIndex(({ id }) => id === eventId(0));
  const own =
    first < 0 ? [] : facts.slice(first).filter((_, index) => recorded[first + index]?.id === eventId(index));
  const last = recorded.at(-1);
  return {
    state: fold({ ...decider, initialState: seen.state }, facts),
    events: own,
    revision: last?.revision ?? seen.revision,
    position: last?.position ?? seen.position,
  };
}

/** An append without an answer may have happened: the same ids once more find out. */
async function appendSurely(
  store: EventStore,
  stream: StreamName,
  revision: number,
  events: readonly NewEvent[],
  context: Parameters<EventStore['append']>[3],
): Promise<AppendResult> {
  const append = () => store.append(stream, revision < 0 ? 'no-stream' : revision, events, context);
  try {
    return await append();
  } catch (error) {
    if (!(error instanceof EventStoreUnavailableError)) throw error;
    await pause(50 + Math.random() * 100);
    return append();
  }
}

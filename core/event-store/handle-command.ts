import { type Command, type Decider, fold } from '#core/kernel/decider.ts';
import { ConflictError } from '#core/kernel/errors.ts';
import type { Event } from '#core/kernel/event.ts';
import { pause } from '#core/kernel/pause.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { readableEvents } from './codec.ts';
import { EventStoreUnavailableError, WrongExpectedRevisionError } from './errors.ts';
import {
  type AppendResult,
  type EventStore,
  type NewEvent,
  type Position,
  type RecordedEvent,
  START,
  type StreamEnd,
} from './port.ts';
import { uuidV5 } from './uuid.ts';

const TRIES = 4;
/** A failure that took longer has used up what the caller can wait, in milliseconds. */
const SOON = 300;

/** `commandId` is a UUID: the same one again, of the same actor, is the same command and answers what became of it. */
export type CommandContext = Readonly<{ commandId: string; actor: string; correlation: string }>;

/** `state` holds all up to `revision` (-1 for an empty stream), at `position`; `events` are the command's own. */
export type Handled<State, E extends Event> = Readonly<{
  state: State;
  events: readonly E[];
  revision: number;
  position: Position;
}>;

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
  const handle = () => decideAndAppend(store, decider, stream, command, context);
  if (!store.aroundCommand) return handle();
  return store.aroundCommand({ type: command.type, id: context.commandId, stream }, handle);
}

async function decideAndAppend<State, C extends Command, E extends Event>(
  store: EventStore,
  decider: Decider<State, C, E>,
  stream: StreamName,
  command: C,
  context: CommandContext,
): Promise<Handled<State, E>> {
  const { commandId, actor, correlation } = context;
  const cause = { at: command.at, actor, causation: commandId, correlation };
  const eventId = (index: number) => uuidV5(commandId, `${stream}/${command.type}/${index}`);
  let seen: Seen<State, E> = {
    state: decider.initialState,
    events: [],
    revision: -1,
    position: START,
    end: 'no-stream',
  };
  for (let attempt = 1; ; attempt += 1) {
    const recorded = await store.readStream(stream, seen.revision + 1);
    seen = foldOn(decider, seen, recorded, ownEvents(recorded, context, eventId));
    const { end, ...handled } = seen;
    if (handled.events.length > 0) return handled;
    const events = decider.decide(command, handled.state);
    if (events.length === 0) return handled;
    try {
      const newEvents = events.map((event, index) => ({ id: eventId(index), event }));
      const place = await appendSurely(store, stream, end, newEvents, cause);
      return { ...place, state: fold({ ...decider, initialState: handled.state }, events), events };
    } catch (error) {
      if (!(error instanceof WrongExpectedRevisionError)) throw error;
      if (attempt === TRIES) {
        throw new ConflictError(
          'This was changed at the same moment. Please try again.',
          'changed-meanwhile',
        );
      }
      await pause(Math.random() * 10 * 2 ** attempt);
    }
  }
}

/** What was folded so far, and the end of the stream that the next event is tied to. */
type Seen<State, E extends Event> = Handled<State, E> & Readonly<{ end: 'no-stream' | StreamEnd }>;

function foldOn<State, E extends Event>(
  decider: Decider<State, never, E>,
  seen: Seen<State, E>,
  recorded: readonly RecordedEvent[],
  own: readonly RecordedEvent[],
): Seen<State, E> {
  const folded = {
    ...seen,
    state: fold({ ...decider, initialState: seen.state }, readableEvents(decider.owns, recorded)),
    events: readableEvents(decider.owns, own),
  };
  const last = recorded.at(-1);
  if (!last) return folded;
  const { revision, position, metadata } = last;
  return { ...folded, revision, position, end: { revision, hash: metadata.hash } };
}

/** What this very command appended before: then it is a repeat, whatever happened to the stream since. */
function ownEvents(
  recorded: readonly RecordedEvent[],
  { commandId, actor }: CommandContext,
  eventId: (index: number) => string,
): RecordedEvent[] {
  const caused = recorded.filter(
    ({ metadata }) => metadata.causation === commandId && metadata.actor === actor,
  );
  const ids = new Set(caused.map((_, index) => eventId(index)));
  return caused.filter(({ id }) => ids.has(id));
}

/** An append that was cut off may have happened: the same ids once more find out, unless that comes too late. */
async function appendSurely(
  store: EventStore,
  stream: StreamName,
  end: 'no-stream' | StreamEnd,
  events: readonly NewEvent[],
  context: Parameters<EventStore['append']>[3],
): Promise<AppendResult> {
  const append = () => store.append(stream, end, events, context);
  const since = performance.now();
  try {
    return await append();
  } catch (error) {
    if (!(error instanceof EventStoreUnavailableError) || performance.now() - since > SOON) throw error;
    await pause(50 + Math.random() * 100);
    return append();
  }
}

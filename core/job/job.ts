import type { Command, Decider } from '#core/kernel/decider.ts';
import { ConflictError, NotFoundError } from '#core/kernel/errors.ts';
import { type Event, type EventOf, eventGuard } from '#core/kernel/event.ts';
import { answer } from './answer/answer.ts';
import { customer } from './customer/customer.ts';
import type { ChangeablePart } from './event-fields.ts';
import { notes } from './notes/notes.ts';
import type { Evolve } from './part.ts';
import { photos } from './photos/photos.ts';
import { record } from './record/record.ts';
import { beginnings } from './request/decide.ts';
import { isOrigin, type JobOrigin } from './request/events.ts';
import { request } from './request/request.ts';
import { retention } from './retention/retention.ts';
import { schedule } from './schedule/schedule.ts';
import { status } from './status/status.ts';
import { type Intersection, together } from './together.ts';
import { changesAfter } from './undo/changes.ts';
import { undo } from './undo/undo.ts';

/** The parts of a job. Whatever else is known of jobs follows from this list. */
export const parts = [
  request,
  answer,
  schedule,
  status,
  notes,
  photos,
  customer,
  retention,
  record,
  undo,
] as const;

export type Part = (typeof parts)[number];

/** A job's events, and the parts of it that each `changes`. */
export const jobEvents = together(parts, 'events');

export type JobEvent<T extends keyof typeof jobEvents = keyof typeof jobEvents> = EventOf<
  typeof jobEvents,
  T
>;

export const isJobEvent = eventGuard(jobEvents);

/** The parts whose value an event sets. */
export function partsOf({ type }: Pick<JobEvent, 'type'>): readonly ChangeablePart[] {
  return jobEvents[type].changes;
}

/** The fields of an event of a job that are personal, in its newest version. */
export function personalNames(type: JobEvent['type']): string[] {
  return Object.keys(jobEvents[type].versions.at(-1)?.personal?.erased ?? {});
}

type CommandsOf<Handlers> = {
  [Type in keyof Handlers]: Handlers[Type] extends (job: never, command: infer C extends Command) => Event[]
    ? C
    : never;
}[keyof Handlers];

const handlers = together(parts, 'handle');

type Beginning = CommandsOf<typeof beginnings>;
type JobChange = CommandsOf<typeof handlers>;
export type JobCommand = Beginning | JobChange;

/** A job that is there, as decisions know it. `revision` is that of its last event. */
export type ExistingJob = Intersection<ReturnType<Part['begins']>> & Readonly<{ revision: number }>;

/** What decisions about a job need to know; null before its first event. What is shown of a job is folded in `view.ts`. */
export type JobState = ExistingJob | null;

/**
 * The life of a job. A refusal throws NotFoundError where the business has no such job, IllegalTransitionError where its
 * status does not allow the command, ConflictError where it was changed meanwhile or an id is taken.
 */
export const jobDecider: Decider<JobState, JobCommand, JobEvent> = {
  decide(command, state) {
    const events = isBeginning(command) ? begin(command, state) : handle(command, ownJob(command, state));
    assertUnchangedSince(command, state, events);
    return events;
  },
  evolve: evolveJob,
  initialState: null,
  owns: isJobEvent,
};

function isBeginning(command: JobCommand): command is Beginning {
  return Object.hasOwn(beginnings, command.type);
}

/** One of each kind: the compiler does not see that a command and the handler of its type belong together. */
type Handler<C extends Command, State> = (state: State, command: C) => JobEvent[];

function begin(command: Beginning, state: JobState): JobEvent[] {
  const handler: Handler<never, JobState> = beginnings[command.type];
  return handler(state, command as never);
}

function handle(command: JobChange, job: ExistingJob): JobEvent[] {
  const handler: Handler<never, ExistingJob> = handlers[command.type];
  return handler(job, command as never);
}

/** Other parts change beside each other, and what leads to no event loses nothing. */
function assertUnchangedSince({ data }: JobCommand, state: JobState, events: readonly JobEvent[]): void {
  const since = 'ifUnchangedSince' in data ? data.ifUnchangedSince : undefined;
  if (since === undefined || state === null) return;
  if (events.flatMap(partsOf).some((part) => (state.changes[part]?.revision ?? 0) > since)) {
    throw new ConflictError(
      'This job was changed in the meantime, please have a look first',
      'changed-meanwhile',
    );
  }
}

/** Another business's job and a job that never was look the same. */
function ownJob({ data }: JobCommand, state: JobState): ExistingJob {
  if (state === null || state.businessId !== data.businessId || state.id !== data.jobId) {
    throw new NotFoundError('Job not found');
  }
  return state;
}

const evolve: Evolve<typeof jobEvents, ExistingJob> = together(parts, 'evolve');
/** What a decision sees of an erased customer: the same while the key is still there, and afterwards. */
const erased = together(parts, 'erased');

/** The job after one more event. An event that does not fit changes nothing but the revision. */
export function evolveJob(state: JobState, event: JobEvent): JobState {
  if (state === null) return isOrigin(event) ? begun(event) : null;
  const revision = state.revision + 1;
  const changedBy: (data: never, job: ExistingJob, revision: number) => Partial<ExistingJob> =
    evolve[event.type];
  const changed = changedBy(event.data as never, state, revision);
  const changes = changesAfter(state, partsOf(event), { data: event.data, revision });
  const after = { ...state, ...changed, changes, revision };
  return after.isErased ? { ...after, ...erased } : after;
}

function begun(origin: JobOrigin): ExistingJob {
  const begun = parts.map(({ begins }) => begins(origin));
  return Object.assign({ revision: 0 }, ...begun);
}

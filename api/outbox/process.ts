import type { Process } from '#api/background/process.ts';
import type { Clock } from '#api/deps.ts';
import type { KnownEvent } from '#core/event-store/event-types.ts';
import type { RecordedEvent } from '#core/event-store/port.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { isJobEvent } from '#core/job/job.ts';
import { ifMoved, type LastWrite, writeApart } from '#projections/runtime/projection.ts';
import type { MessageKind } from './message-kind.ts';

/** What happened longer ago is no news, in milliseconds. */
export const newsAge = 24 * 60 * 60_000;

/** A message that follows from an event, named by its kind. One per (event, kind). */
export type Reaction = Readonly<{
  id: string;
  kind: string;
  /** Null for what is no job's. */
  businessId: string | null;
  jobId: string | null;
  data: Readonly<{ revision: number; demoId?: string }>;
  /** Not to be sent before. */
  wantedAt: Date;
}>;

type Kinds = readonly Pick<MessageKind, 'kind' | 'follows' | 'delay'>[];

/** Actors of invented and of imported events: no message follows from them. */
const SILENT = ['seed', 'import'];

/** The messages that follow from an event at `now`: none from old ones, nor from invented and imported ones. */
export function reactionsTo(
  kinds: Kinds,
  { id, event, revision, metadata }: RecordedEvent,
  now: Date,
): Reaction[] {
  const happened = Date.parse(metadata.at);
  if (event === undefined || SILENT.includes(metadata.actor) || now.getTime() - happened > newsAge) return [];
  const about = subjectOf(event, revision);
  if (about === null) return [];
  return kinds
    .filter(({ follows = [] }) => follows.some((type) => type === event.type))
    .map(({ kind, delay = 0 }) => ({
      id: uuidV5(id, kind),
      kind,
      ...about,
      wantedAt: new Date(Math.max(happened + delay, now.getTime())),
    }));
}

/** What the messages are about; null for an event of neither a job nor a demo. */
function subjectOf(
  event: KnownEvent,
  revision: number,
): Pick<Reaction, 'businessId' | 'jobId' | 'data'> | null {
  if (event.type === 'DemoRequested') {
    return { businessId: null, jobId: null, data: { revision, demoId: event.data.demoId } };
  }
  if (!isJobEvent(event)) return null;
  const { businessId, jobId } = event.data;
  return { businessId, jobId, data: { revision } };
}

/**
 * Puts the messages that follow from events into the outbox, once per (event id, kind), however often it sees an event: a
 * message's row stays there for ever.
 */
export function outboxProcess(kinds: Kinds): Process<Pick<Clock, 'now'>> {
  return {
    name: 'outbox',
    follows: [...new Set(kinds.flatMap(({ follows = [] }) => follows))],
    begins: 'now',
    endsBatches: true,
    async step({ now }, events, db, end) {
      const at = now();
      const reactions = events.flatMap((event) => reactionsTo(kinds, event, at));
      if (reactions.length === 0) return;
      const write = queued(reactions, at);
      await (end ? end(write, []) : writeApart(db, write));
    },
  };
}

function queued(reactions: readonly Reaction[], now: Date): LastWrite {
  const rows = reactions.map(({ id, kind, businessId, jobId, data, wantedAt }) => {
    return { id, kind, business_id: businessId, job_id: jobId, data, wanted_at: wantedAt };
  });
  return {
    name: 'queue messages',
    queries: [
      `queued as (
        insert into state.outbox (id, kind, business_id, job_id, data, queued_at, wanted_at, due_at)
        select id, kind, business_id, job_id, data, $2, wanted_at, wanted_at
        from json_to_recordset($1)
          as rows(id uuid, kind text, business_id text, job_id text, data jsonb, wanted_at timestamptz)
        where ${ifMoved}
        on conflict (id) do nothing)`,
    ],
    values: [JSON.stringify(rows), now],
  };
}

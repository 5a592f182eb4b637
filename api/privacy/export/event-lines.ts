import type { Type } from 'arktype';
import { foldReadable } from '#api/jobs/load-job.ts';
import { typedEvents } from '#core/event-store/codec.ts';
import { eventTypes } from '#core/event-store/event-types.ts';
import type { RecordedEvent } from '#core/event-store/port.ts';
import { isJobEvent, personalNames } from '#core/job/job.ts';
import { withholdsContact, withholdsField } from '#core/job/withheld-fields.ts';
import type { Json } from '#core/kernel/canonical-json.ts';
import type { DeclaredEvents } from '#core/kernel/event.ts';
import type { Collector } from './pages.ts';

/** A line of `events.ndjson`: an event in clear. `withheld` names the fields of `data` that are left out. */
type EventLine = Readonly<{
  position: string;
  stream: string;
  revision: number;
  id: string;
  type: string;
  at: string;
  actor: string;
  hash: string;
  data: object | null;
  withheld?: readonly string[];
  unreadable?: string;
}>;

/** The events of a job of a business as its tradie may read them; none of another business's job. */
export function jobEventLines(recorded: readonly RecordedEvent[], businessId: string): EventLine[] {
  const events = typedEvents(isJobEvent, recorded);
  const details = foldReadable(events);
  if (details?.businessId !== businessId) return [];
  // By the event, as every reader: the key may still be in the memory of this process.
  const isErased = details.erasedAt !== null;
  if (!isErased && !withholdsContact(details)) return events.map(eventLine);
  return events.map((one) => {
    const { event } = one;
    if (!event) return eventLine(one);
    const data = event.data as Readonly<Record<string, Json>>;
    const withheld = personalNames(event.type).filter(
      (name) => name in data && (isErased || withholdsField(details, name, data[name] as Json)),
    );
    if (withheld.length === 0) return eventLine(one);
    const shown = Object.entries(data).filter(([name]) => !withheld.includes(name));
    return { ...eventLine(one), data: Object.fromEntries(shown), withheld };
  });
}

/** An event of the business itself, all of which is its own. */
export function eventLine(recorded: RecordedEvent): EventLine {
  const { position, stream, revision, id, type, metadata, event, unreadable } = recorded;
  const { at, actor, hash } = metadata;
  const data = event?.data ?? null;
  if (unreadable === undefined) return { position, stream, revision, id, type, at, actor, hash, data };
  return { position, stream, revision, id, type, at, actor, hash, data, unreadable };
}

/** What JSON Schema cannot say, a rule in code, is left to the shape below it. */
const fallback = {
  default: ({ base }: { base: object }) => base,
  morph: ({ base, out }: { base: object; out: object | null }) => ({ ...base, ...out }),
};

/** The categories of streams that an export has. */
export const exportedCategories = ['job', 'business', 'account', 'enquiryForm'] as const;

/** What is first made of a schema in a process leaves a megabyte or more: it counts as so many jobs. */
const JOBS_OF_A_SCHEMA = 330;

/**
 * JSON Schemas of the `data` of every type of event of a category, by type. What is personal is required of none: a line leaves out
 * what is withheld or was removed.
 */
export function eventSchemas(category: (typeof exportedCategories)[number], collector: Collector): object {
  const declared: DeclaredEvents = eventTypes[category];
  return Object.fromEntries(
    Object.entries(declared).map(([type, { versions }]) => {
      if (collector.isDueAfter(JOBS_OF_A_SCHEMA)) collector.collect();
      const { schema, personal } = versions.at(-1) ?? {};
      const { required = [], ...shape } = ((schema as Type | undefined)?.toJsonSchema({ fallback }) ??
        {}) as { required?: readonly string[] };
      const always = required.filter((name) => !(name in (personal?.erased ?? {})));
      return [type, { ...shape, required: always }];
    }),
  );
}

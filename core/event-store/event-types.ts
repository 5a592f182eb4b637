import { accountEvents } from '#core/account/events.ts';
import { businessEvents } from '#core/business/events.ts';
import { demoEvents } from '#core/demo/events.ts';
import { enquiryFormEvents } from '#core/enquiry-form/events.ts';
import { erasureEvents } from '#core/erasure/events.ts';
import { jobEvents } from '#core/job/job.ts';
import type { DeclaredEvents, EventOf, EventVersion } from '#core/kernel/event.ts';
import type { Category } from '#core/kernel/stream-name.ts';
import { registrationEvents } from '#core/registration/events.ts';

/** The declarations of every aggregate. Does not compile while those of a category are missing. */
export const eventTypes = {
  job: jobEvents,
  business: businessEvents,
  registration: registrationEvents,
  account: accountEvents,
  enquiryForm: enquiryFormEvents,
  demo: demoEvents,
  erasure: erasureEvents,
} as const satisfies Record<Category, DeclaredEvents>;

/** Every event that the log can hold: what reading gives. */
export type KnownEvent = { [C in Category]: EventOf<(typeof eventTypes)[C]> }[Category];

const versions: ReadonlyMap<string, readonly EventVersion[]> = new Map(
  Object.values<DeclaredEvents>(eventTypes).flatMap((declared) =>
    Object.entries(declared).map(([name, { versions }]) => [name, versions] as const),
  ),
);

/** The versions of a type, oldest first; undefined for a type that this release does not know. */
export function versionsOf(type: string): readonly EventVersion[] | undefined {
  return versions.get(type);
}

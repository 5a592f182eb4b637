import type { AccountEvent } from '#core/account/events.ts';
import type { BusinessEvent } from '#core/business/events.ts';
import type { DemoEvent } from '#core/demo/events.ts';
import type { EnquiryFormEvent } from '#core/enquiry-form/events.ts';
import type { JobEvent } from '#core/job/events.ts';
import type { RegistrationEvent } from '#core/registration/events.ts';
import { accountEvents } from './schemas/account.ts';
import { businessEvents } from './schemas/business.ts';
import { demoEvents } from './schemas/demo.ts';
import { enquiryFormEvents } from './schemas/enquiry-form.ts';
import type { EventVersion, EventVersions } from './schemas/event-version.ts';
import { jobEvents } from './schemas/job.ts';
import { registrationEvents } from './schemas/registration.ts';

/** Every fact that the log can hold. */
export type KnownEvent =
  | JobEvent
  | AccountEvent
  | BusinessEvent
  | EnquiryFormEvent
  | RegistrationEvent
  | DemoEvent;

/** How each type of event is stored, in every version ever written. Does not compile while one is missing. */
export const eventTypes = {
  ...jobEvents,
  ...accountEvents,
  ...businessEvents,
  ...enquiryFormEvents,
  ...registrationEvents,
  ...demoEvents,
} as const satisfies { [T in KnownEvent['type']]: EventVersions<Extract<KnownEvent, { type: T }>> };

/** The versions of a type, oldest first; undefined for a type that this release does not know. */
export function versionsOf(type: string): readonly EventVersion[] | undefined {
  if (!Object.hasOwn(eventTypes, type)) return undefined;
  return eventTypes[type as keyof typeof eventTypes] as unknown as readonly EventVersion[];
}

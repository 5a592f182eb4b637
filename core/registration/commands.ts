import type { Command } from '#core/kernel/decider.ts';
import type { Plan } from '#core/values/product.ts';
import type { RegistrationDraft } from './draft.ts';
import type { RegistrationEvent } from './events.ts';

type Of = Readonly<{ registrationId: string }>;

export type StartRegistration = Command<'StartRegistration', Of & { plan: Plan }>;

/** Records what the draft has done by now and the log does not tell yet. */
export type RecordMilestones = Command<'RecordMilestones', Of & { draft: RegistrationDraft }>;

/** `email`, `phone` and `slug` are reserved for the account; the rest is found from the draft, of which every milestone is recorded. */
export type CompleteRegistration = Command<
  'CompleteRegistration',
  Of &
    Pick<
      RegistrationEvent<'RegistrationCompleted'>['data'],
      'accountId' | 'businessId' | 'email' | 'phone' | 'slug' | 'tagline' | 'timeZone'
    > & { draft: RegistrationDraft }
>;

export type RegistrationCommand = StartRegistration | RecordMilestones | CompleteRegistration;

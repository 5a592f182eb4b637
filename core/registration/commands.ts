import type { Command } from '#core/kernel/command.ts';
import type { Plan } from '#core/values/plan.ts';
import type { Answers, RegistrationEvent } from './events.ts';

type Of = Readonly<{ registrationId: string }>;

export type StartRegistration = Command<'StartRegistration', Of & { plan: Plan }>;

/**
 * Next or Back: the step to go to, and what was answered since. `entity` comes from the register and never from the
 * browser; `choosesPassword` when one that keeps the rules was given along.
 */
export type SaveRegistration = Command<
  'SaveRegistration',
  Of & { step: number | null; answers: Partial<Answers>; choosesPassword: boolean }
>;

/** `email` as `normaliseEmail` writes it, found to be nobody's. */
export type VerifyRegistrationEmail = Command<'VerifyRegistrationEmail', Of & { email: string }>;
/** `phone` in E.164, as for the next one. */
export type ChangeRegistrationPhone = Command<'ChangeRegistrationPhone', Of & { phone: string }>;
export type VerifyRegistrationPhone = Command<'VerifyRegistrationPhone', Of & { phone: string }>;

/** `email`, `phone` and `slug` are held for the account; the rest is found from the draft. */
export type CompleteRegistration = Command<
  'CompleteRegistration',
  Of &
    Pick<
      RegistrationEvent<'RegistrationCompleted'>['data'],
      'accountId' | 'businessId' | 'email' | 'phone' | 'slug' | 'tagline' | 'timeZone'
    >
>;

export type RegistrationCommand =
  | StartRegistration
  | SaveRegistration
  | VerifyRegistrationEmail
  | ChangeRegistrationPhone
  | VerifyRegistrationPhone
  | CompleteRegistration;

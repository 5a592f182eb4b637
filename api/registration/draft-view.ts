import { stepAnswers } from '#core/registration/state.ts';
import type { Registration } from './open-registration.ts';

/** A draft as the site knows it (spec.md §3, Registration draft). There is no password in it: none is kept to be shown. */
export function draftView(rid: string, registration: Registration) {
  const { step, plan, answers } = registration;
  const { entity, tradingName, firstName, lastName, email, phone, subscribe, terms } = answers;
  const { emailVerified, phoneVerified, passwordSet } = stepAnswers(registration);
  const names = { firstName, lastName };
  return {
    ...{ rid, step, type: plan, complete: false, region: answers.region },
    ...{ trades: answers.trades, specialties: answers.specialties },
    entity: entity && { ...entity, tradingName, ...names },
    user: names,
    location: answers.location,
    verify: { email, emailVerified, phone, phoneVerified, passwordSet, subscribe, terms },
  };
}

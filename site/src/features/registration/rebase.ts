import { parsePhone } from '#core/values/contact.ts';
import { isRecord } from '#site/lib/shape.ts';
import { isRegistration, type Registration } from './registration.ts';

/** A draft beside the one that it was typed over. */
export type Typed = Readonly<{ base: Registration; typed: Registration }>;

export const isTyped = isRecord<Typed>({ base: isRegistration, typed: isRegistration });

/**
 * What was typed over one draft, in a newer one of the server's: only what was changed comes along. What the server alone
 * confirms holds only for the email and the mobile that it confirmed.
 */
export function rebased(served: Registration, { base, typed }: Typed): Registration {
  const { region, trades, specialties, entity, user, location } = changedOver(served, base, typed);
  const known = served.verify;
  const { email, phone, subscribe, terms } = changedOver(known, base.verify, typed.verify);
  return {
    ...served,
    ...{ region, trades, specialties, entity, user, location },
    verify: {
      ...known,
      ...{ email, phone, subscribe, terms },
      emailVerified: known.emailVerified && email === known.email,
      phoneVerified: known.phoneVerified && isSameMobile(phone, known.phone),
    },
  };
}

/** The newer values, and over them those that the applicant changed from the ones before. */
function changedOver<Part extends object>(newer: Part, before: Part, after: Part): Part {
  const keys = Object.keys(after) as (keyof Part)[];
  const isChanged = (key: keyof Part) => JSON.stringify(before[key]) !== JSON.stringify(after[key]);
  const changes = keys.filter(isChanged).map((key) => [key, after[key]]);
  return { ...newer, ...Object.fromEntries(changes) };
}

function isSameMobile(one: string, other: string): boolean {
  return one === other || (parsePhone(one) !== null && parsePhone(one) === parsePhone(other));
}

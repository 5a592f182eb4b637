import { parsePhone } from '#core/values/phone.ts';
import type { Registration } from './registration.ts';

/** A draft beside the one that it was typed over. */
export type Typed = Readonly<{ base: Registration; typed: Registration }>;

/**
 * What was typed over one draft, in a newer one of the server's: only what was changed comes along. What the server alone
 * knows holds only for the email and the mobile that it knows it of.
 */
export function rebased(served: Registration, { base, typed }: Typed): Registration {
  const pick = <Part extends object, Key extends keyof Part>(of: (draft: Registration) => Part, key: Key) =>
    JSON.stringify(of(base)[key]) === JSON.stringify(of(typed)[key]) ? of(served)[key] : of(typed)[key];
  const all = <Key extends keyof Registration>(key: Key) => pick((draft) => draft, key);
  const verify = <Key extends keyof Registration['verify']>(key: Key) => pick((draft) => draft.verify, key);
  const [email, phone] = [verify('email'), verify('phone')];
  return {
    ...served,
    ...{ region: all('region'), trades: all('trades'), specialties: all('specialties') },
    ...{ entity: all('entity'), user: all('user'), location: all('location') },
    verify: {
      ...served.verify,
      ...{ email, phone, subscribe: verify('subscribe'), terms: verify('terms') },
      emailVerified: served.verify.emailVerified && email === served.verify.email,
      phoneVerified: served.verify.phoneVerified && isSameMobile(phone, served.verify.phone),
    },
  };
}

function isSameMobile(one: string, other: string): boolean {
  return one === other || (parsePhone(one) !== null && parsePhone(one) === parsePhone(other));
}

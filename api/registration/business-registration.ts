import { InvalidInputError } from '#core/kernel/errors.ts';
import { emailMessage, isEmail, normaliseEmail } from '#core/values/email.ts';
import { passwordProblems } from '#core/values/password.ts';
import { parsePhone, phoneMessage } from '#core/values/phone.ts';
import type { Plan } from '#core/values/plan.ts';
import type { Region } from '#core/values/region.ts';
import { normaliseSlug, slugMessage } from '#core/values/slug.ts';
import { hasMarkAtEdge, isOpenSlug } from '#core/values/slug-skeleton.ts';
import type { ThemeColour } from '#core/values/theme-colour.ts';

/** Everything it takes to open a business. `coverage.radius` in metres, `timeZone` IANA. */
export type BusinessRegistration = Readonly<{
  email: string;
  phone: string;
  password: string;
  firstName: string;
  lastName: string;
  region: Region;
  plan: Plan;
  bn: string;
  name: string;
  tradingName: string;
  tagline: string;
  timeZone: string;
  coverage: Readonly<{ lat: number; lng: number; radius: number }>;
  slug: string;
  theme: ThemeColour;
  logo: string | null;
  intro: string;
  trades: readonly string[];
  /** What the public page shows of the owner; nothing when absent. */
  contact?: Readonly<{ phone: string | null; email: string | null }>;
}>;

/** The same registration with email, phone and slug in their one normal spelling. Throws InvalidInputError with fields. */
export function normaliseRegistration(typed: BusinessRegistration): BusinessRegistration {
  const email = normaliseEmail(typed.email);
  const phone = parsePhone(typed.phone, typed.region);
  const slug = normaliseSlug(typed.slug);
  const [password] = passwordProblems(typed.password);
  const fields = {
    ...(isEmail(email) ? {} : { email: emailMessage }),
    ...(phone === null ? { phone: phoneMessage } : {}),
    ...(isOpenSlug(slug) && !hasMarkAtEdge(slug) ? {} : { slug: slugMessage }),
    ...(password === undefined ? {} : { password }),
  };
  if (phone === null || Object.keys(fields).length > 0) {
    throw new InvalidInputError('Please check what you entered', fields);
  }
  return { ...typed, email, phone, slug };
}

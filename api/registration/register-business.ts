import { createCredential } from '#api/authenticate/credentials.ts';
import { passwords } from '#api/authenticate/passwords.ts';
import type { Deps } from '#api/deps.ts';
import type { Position } from '#core/event-store/port.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { ConflictError, InvalidInputError } from '#core/kernel/errors.ts';
import { emailMessage, isEmail, normaliseEmail } from '#core/values/email.ts';
import { passwordProblems } from '#core/values/password.ts';
import { parsePhone, phoneMessage } from '#core/values/phone.ts';
import type { Plan } from '#core/values/plan.ts';
import type { Region } from '#core/values/region.ts';
import { normaliseSlug, slugMessage } from '#core/values/slug.ts';
import { hasMarkAtEdge, isOpenSlug } from '#core/values/slug-skeleton.ts';
import type { ThemeColour } from '#core/values/theme-colour.ts';
import { claimKey, holdClaims, keepClaims, slugClaim, takenMessages } from './claims.ts';
import { openBusiness } from './open-business.ts';

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

/** What a registration needs of the process. */
export type RegistrationDeps = Pick<Deps, 'config' | 'db' | 'store' | 'now'>;

/**
 * `commandId` is a UUID: the same one again finishes what a crash left, and never opens a second business.
 * `at` is the instant of the events, for what happened before; else they happen now.
 */
export type RegistrationCause = Readonly<{
  commandId: string;
  actor: string;
  correlation: string;
  at?: string;
}>;

export type RegisteredBusiness = Readonly<{ accountId: string; businessId: string; position: Position }>;

/**
 * Opens an account, its business and its enquiry form. Email, mobile and slug are claimed first, so of many at once
 * exactly one wins; the others get ConflictError. Throws InvalidInputError with fields.
 */
export async function registerBusiness(
  deps: RegistrationDeps,
  typed: BusinessRegistration,
  cause: RegistrationCause,
): Promise<RegisteredBusiness> {
  const input = normaliseRegistration(typed);
  const accountId = uuidV5(cause.commandId, 'account');
  const businessId = uuidV5(cause.commandId, 'business');
  await claimIdentity(deps, accountId, input);
  const hash = await passwords.hash(input.password);
  await createCredential(deps.db, { accountId, businessId, hash }, deps.now());
  const at = cause.at ?? deps.now().toISOString();
  const position = await openBusiness(deps, { accountId, businessId }, input, { ...cause, at });
  await keepClaims(deps.db, accountId);
  return { accountId, businessId, position };
}

async function claimIdentity(
  deps: RegistrationDeps,
  accountId: string,
  input: BusinessRegistration,
): Promise<void> {
  const claims = [
    { kind: 'email', key: claimKey(deps.config, 'email', input.email) },
    { kind: 'mobile', key: claimKey(deps.config, 'mobile', input.phone) },
    slugClaim(deps.config, input.slug),
  ] as const;
  const [taken] = await holdClaims(deps.db, accountId, claims, deps.now());
  if (taken) throw new ConflictError(takenMessages[taken]);
}

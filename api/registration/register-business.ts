import { passwords } from '#api/accounts/passwords/passwords.ts';
import type { Position } from '#core/event-store/port.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { InvalidInputError } from '#core/kernel/errors.ts';
import { passwordProblems } from '#core/values/account.ts';
import { emailMessage, isEmail, normaliseEmail, parsePhone, phoneMessage } from '#core/values/contact.ts';
import { hasMarkAtEdge, isOpenSlug, normaliseSlug, slugMessage } from '#core/values/slug.ts';
import { type BusinessRegistration, type OpeningDeps, openAccount } from './open-business.ts';

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
 * Opens an account, its business and its enquiry form from what is known already, as a completed registration does: for
 * seeds and tests. Throws InvalidInputError with fields, and ConflictError when another account has the email, mobile or slug.
 */
export async function registerBusiness(
  deps: OpeningDeps,
  typed: BusinessRegistration,
  cause: RegistrationCause,
): Promise<RegisteredBusiness> {
  const input = normaliseRegistration(typed);
  const accountId = uuidV5(cause.commandId, 'account');
  const businessId = uuidV5(cause.commandId, 'business');
  const at = cause.at ?? deps.now().toISOString();
  const position = await openAccount(deps, { accountId, businessId }, input, {
    cause: { ...cause, at },
    passwordHash: () => passwords.hash(input.password),
  });
  return { accountId, businessId, position };
}

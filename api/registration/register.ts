import { InvalidInputError } from '#core/kernel/errors.ts';
import {
  noAnswers,
  type RegistrationDraft,
  saveAnswers,
  verifyEmail,
  verifyPhone,
} from '#core/registration/draft.ts';
import { emailMessage, isEmail, normaliseEmail } from '#core/values/contact.ts';
import type { Plan } from '#core/values/product.ts';
import type { Region } from '#core/values/region.ts';
import { defaultLocation, mobileProblem } from '#core/values/registration-steps.ts';
import { hasMarkAtEdge, isOpenSlug, normaliseSlug, slugMessage } from '#core/values/slug.ts';
import { findTrade } from '#core/values/trade-catalogue.ts';
import { phoneMessage, readPhone } from '#core/values/typed-phone.ts';
import { changeDraft } from './change-draft.ts';
import { type CompletedRegistration, completeRegistration } from './complete-registration.ts';
import { openDraft, storePendingCredential } from './drafts.ts';
import { finishRegistration } from './finish-registration.ts';
import {
  decideRegistration,
  idsOf,
  loadRegistration,
  noRegistration,
  type RegistrationCause,
  type RegistrationDeps,
  readRegistration,
  registrationIdOf,
} from './load-registration.ts';

/** What an applicant answers in the steps of a registration, known at once. `coverage.radius` in metres. */
export type Applicant = Readonly<{
  plan: Plan;
  region: Region;
  trades: readonly string[];
  /** The business number, and the name under it in the register. */
  bn: string;
  name: string;
  tradingName: string;
  firstName: string;
  lastName: string;
  coverage: Readonly<{ lat: number; lng: number; radius: number }>;
  email: string;
  phone: string;
  /** Whether news by email are wanted; yes when absent. */
  newsletter?: boolean;
  /** The public address; when absent it follows from the trading name. */
  slug?: string;
  /** What stands under the name; when absent it follows from trade and place. */
  tagline?: string;
}>;

type Registering = Readonly<{
  /** The same one again finishes what a crash left, and never opens a second account. */
  registrationId: string;
  cause: RegistrationCause;
  /** A PHC string. */
  passwordHash(): Promise<string>;
}>;

/** The ids of the registration that a command registers an invented business by; no browser's secret leads to it. */
export function idsOfCommand(commandId: string) {
  const registrationId = registrationIdOf(commandId);
  return { registrationId, ...idsOf(registrationId) };
}

/** The same applicant with email, phone and slug in their one normal spelling. Throws InvalidInputError with fields. */
export function normaliseApplicant<T extends Applicant>(typed: T): T {
  const email = normaliseEmail(typed.email);
  const phone = readPhone(typed.phone, typed.region);
  const slug = typed.slug === undefined ? undefined : normaliseSlug(typed.slug);
  const fields = {
    ...(isEmail(email) ? {} : { email: emailMessage }),
    ...(phone === null ? { phone: mobileProblem(typed.phone, typed.region) ?? phoneMessage } : {}),
    ...(slug === undefined || (isOpenSlug(slug) && !hasMarkAtEdge(slug)) ? {} : { slug: slugMessage }),
  };
  if (phone === null || Object.keys(fields).length > 0) {
    throw new InvalidInputError('Please check what you entered', fields);
  }
  return { ...typed, email, phone, ...(slug === undefined ? {} : { slug }) };
}

/**
 * Goes through the steps of a registration for an invented applicant: draft, milestones, reservations, completion and what
 * follows from it are those of every other. What is left out is what shows that a person is there: bot check, limits, the
 * code by SMS. Throws ConflictError when another account has the email, mobile or slug, InvalidInputError with fields.
 */
export async function register(
  deps: RegistrationDeps,
  typed: Applicant,
  { registrationId, cause, passwordHash }: Registering,
): Promise<CompletedRegistration> {
  const applicant = normaliseApplicant(typed);
  const before = await readRegistration(deps, registrationId);
  if (before?.completed) {
    const position = await finishRegistration(deps, before.completed, cause);
    return { accountId: before.completed.accountId, position };
  }
  const now = deps.now();
  await openDraft(deps.db, { registrationId, sourceHash: '', device: noDevice }, now);
  const at = cause.at ?? now.toISOString();
  const start = { type: 'StartRegistration', at, data: { registrationId, plan: applicant.plan } } as const;
  await decideRegistration(deps, start, { cause });
  const loaded = await loadRegistration(deps, registrationId);
  if (!loaded) throw noRegistration();
  const { expiresAt } = loaded.stored;
  const hash = await passwordHash();
  await storePendingCredential(deps.db, registrationId, { hash, expiresAt }, now);
  const open = { ...loaded, rid: '', registrationId };
  const ready = await changeDraft(deps, open, (draft) => answered(draft, applicant), cause);
  const { slug, tagline } = applicant;
  return completeRegistration(deps, ready, null, {
    cause,
    ...(slug === undefined ? {} : { addresses: () => [slug] }),
    ...(tagline === undefined ? {} : { tagline }),
  });
}

const noDevice = {
  screenWidth: null,
  screenHeight: null,
  colourDepth: null,
  language: null,
  timezoneOffset: null,
} as const;

/** The draft with every step done. */
function answered(draft: RegistrationDraft, applicant: Applicant): RegistrationDraft {
  const { region, trades, bn, name, coverage, email, phone, newsletter: subscribe = true } = applicant;
  const { tradingName, firstName, lastName } = applicant;
  const answers = {
    ...noAnswers,
    ...{ region, trades, tradingName, firstName, lastName, email, phone, subscribe },
    specialties: trades.flatMap(
      (id) =>
        findTrade(id)
          ?.specialties.slice(0, 3)
          .map((one) => one.id) ?? [],
    ),
    entity: { bn, name, country: region, registered: true, status: 'Active', postcode: null },
    location: { ...coverage, zoom: defaultLocation.zoom },
    terms: true,
  };
  const saved = saveAnswers(draft, { step: null, answers, choosesPassword: true });
  return verifyPhone(verifyEmail(saved, email), phone);
}

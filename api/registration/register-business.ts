import { accountDecider } from '#core/account/decider.ts';
import { businessDecider } from '#core/business/decider.ts';
import { enquiryFormDecider } from '#core/enquiry-form/decider.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import type { Position } from '#core/event-store/port.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import type { Command } from '#core/kernel/command.ts';
import { ConflictError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { createCredential } from '../authenticate/credentials.ts';
import { passwords } from '../authenticate/passwords.ts';
import type { Deps } from '../deps.ts';
import { type BusinessRegistration, normaliseRegistration } from './business-registration.ts';
import { type ClaimKind, claimKey, holdClaims, keepClaims } from './claims.ts';

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

const takenMessages: Record<ClaimKind, string> = {
  email: "This email's already signed up.",
  mobile: 'This mobile number is already in use',
  slug: 'This domain is already taken.',
};

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
  const position = await appendAll(deps, { accountId, businessId }, input, cause);
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
    { kind: 'slug', key: claimKey(deps.config, 'slug', input.slug) },
  ] as const;
  const [taken] = await holdClaims(deps.db, accountId, claims, deps.now());
  if (taken) throw new ConflictError(takenMessages[taken]);
}

type Ids = Readonly<{ accountId: string; businessId: string }>;

/** Each command has an id of its own that derives from the registration's, so a repeat appends nothing. */
async function appendAll(
  deps: RegistrationDeps,
  { accountId, businessId }: Ids,
  input: BusinessRegistration,
  { commandId, actor, correlation, at = deps.now().toISOString() }: RegistrationCause,
): Promise<Position> {
  const causeOf = (command: Command) => ({ commandId: uuidV5(commandId, command.type), actor, correlation });
  const { email, phone, firstName, lastName, region, plan, bn, name, tradingName, tagline } = input;
  const { timeZone, coverage, slug, theme, logo, intro, trades, contact } = input;

  const account = {
    type: 'OpenAccount',
    at,
    data: { accountId, businessId, email, phone, firstName, lastName },
  } as const;
  await handleCommand(
    deps.store,
    accountDecider,
    streamName('account', accountId),
    account,
    causeOf(account),
  );

  const registered = {
    accountId,
    businessId,
    region,
    plan,
    bn,
    name,
    tradingName,
    tagline,
    timeZone,
    coverage,
  };
  for (const command of [
    { type: 'RegisterBusiness', at, data: registered },
    { type: 'BrandBusiness', at, data: { businessId, slug, theme, logo } },
    { type: 'IntroduceBusiness', at, data: { businessId, intro } },
    ...(contact ? [{ type: 'PublishBusinessContact', at, data: { businessId, ...contact } } as const] : []),
  ] as const) {
    await handleCommand(
      deps.store,
      businessDecider,
      streamName('business', businessId),
      command,
      causeOf(command),
    );
  }

  const form = { type: 'OpenEnquiryForm', at, data: { businessId, trades } } as const;
  const stream = streamName('enquiryForm', businessId);
  const opened = await handleCommand(deps.store, enquiryFormDecider, stream, form, causeOf(form));
  return opened.position;
}

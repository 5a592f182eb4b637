import { keepReservations, reservationsOf, reserve, takenMessages } from '#api/accounts/reservations.ts';
import { createCredential } from '#api/accounts/sign-in/credentials.ts';
import type { Deps } from '#api/deps.ts';
import { accountDecider } from '#core/account/decider.ts';
import type { BusinessCommand } from '#core/business/commands.ts';
import { businessDecider } from '#core/business/decider.ts';
import { enquiryFormDecider } from '#core/enquiry-form/decider.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import type { Position } from '#core/event-store/port.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { batchDecider, type Command } from '#core/kernel/decider.ts';
import { ConflictError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import type { ThemeColour } from '#core/values/business.ts';
import type { Plan } from '#core/values/product.ts';
import type { Region } from '#core/values/region.ts';

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

/** What is opened; where no word on the newsletter is given, it is wanted. `isEmailAwaited`: a link is to come back from the email. */
export type OpenedBusiness = Omit<BusinessRegistration, 'password'> &
  Readonly<{ newsletter?: boolean; isEmailAwaited?: boolean }>;

/** `commandId` is a UUID, and `at` the instant of the events. */
export type OpeningCause = Readonly<{ commandId: string; actor: string; correlation: string; at: string }>;

type Ids = Readonly<{ accountId: string; businessId: string }>;

/** What it takes to open an account. */
export type OpeningDeps = Pick<Deps, 'config' | 'db' | 'store' | 'now'>;

/**
 * The one way to an account: reserves email, mobile and slug (each normalised), so that of many at once exactly one wins,
 * stores the password's hash, opens account, business and enquiry form, and keeps the reservations. `passwordHash` answers
 * null where a hash is stored already. Repeated under the same cause it finishes what a crash left. Throws ConflictError
 * when another account has one of the three.
 */
export async function openAccount(
  deps: OpeningDeps,
  ids: Ids,
  input: OpenedBusiness,
  { cause, passwordHash }: Readonly<{ cause: OpeningCause; passwordHash(): Promise<string | null> }>,
): Promise<Position> {
  const reservations = reservationsOf(deps.config, input);
  const [taken] = await reserve(deps.db, ids.accountId, reservations, deps.now());
  if (taken) throw new ConflictError(takenMessages[taken]);
  const hash = await passwordHash();
  if (hash !== null) await createCredential(deps.db, { ...ids, hash }, deps.now());
  const position = await openBusiness(deps, ids, input, cause);
  await keepReservations(deps.db, ids.accountId, reservations);
  return position;
}

/**
 * Opens an account, its business and its enquiry form, whose email, mobile and slug are the account's already. Each command
 * has an id of its own that derives from the cause's, so a repeat finishes what a crash left; once all is open, it leaves
 * what the owner has changed since. Answers the position of the last event.
 */
async function openBusiness(
  { store }: Pick<Deps, 'store'>,
  { accountId, businessId }: Ids,
  input: OpenedBusiness,
  { commandId, actor, correlation, at }: OpeningCause,
): Promise<Position> {
  const causeOf = (command: Command) => ({ commandId: uuidV5(commandId, command.type), actor, correlation });
  const { email, phone, firstName, lastName, region, plan, bn, name, tradingName, tagline } = input;
  const { timeZone, coverage, slug, theme, logo, intro, trades, contact, newsletter = true } = input;
  const { isEmailAwaited = false } = input;

  // The form is opened last.
  const formStream = streamName('enquiryForm', businessId);
  const opened = (await store.readStream(formStream)).at(-1);
  if (opened) return opened.position;

  const account = { accountId, businessId, email, phone, firstName, lastName };
  for (const command of [
    { type: 'OpenAccount', at, data: account },
    ...(isEmailAwaited ? [{ type: 'AwaitEmailConfirmation', at, data: { accountId } } as const] : []),
    { type: 'ChangeNotifications', at, data: { accountId, notifications: { newsletter } } },
  ] as const) {
    const stream = streamName('account', accountId);
    await handleCommand(store, accountDecider, stream, command, causeOf(command));
  }

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
  // Together, so that a repeat finds its own events and leaves a colour alone that the owner chose meanwhile.
  const face: readonly BusinessCommand[] = [
    { type: 'ChangePublicAddress', at, data: { businessId, slug } },
    { type: 'ChangeTheme', at, data: { businessId, theme } },
    { type: 'ChangeLogo', at, data: { businessId, logo } },
  ];
  for (const command of [
    { type: 'RegisterBusiness', at, data: registered },
    { type: 'Batch', at, data: { commands: face } },
    { type: 'IntroduceBusiness', at, data: { businessId, intro } },
    ...(contact ? [{ type: 'PublishBusinessContact', at, data: { businessId, ...contact } } as const] : []),
  ] as const) {
    const stream = streamName('business', businessId);
    await (command.type === 'Batch'
      ? handleCommand(store, batchDecider(businessDecider), stream, command, causeOf(command))
      : handleCommand(store, businessDecider, stream, command, causeOf(command)));
  }

  const form = { type: 'OpenEnquiryForm', at, data: { businessId, trades } } as const;
  return (await handleCommand(store, enquiryFormDecider, formStream, form, causeOf(form))).position;
}

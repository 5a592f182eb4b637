import type { Deps } from '#api/deps.ts';
import { accountDecider } from '#core/account/decider.ts';
import type { BusinessCommand } from '#core/business/commands.ts';
import { businessDecider } from '#core/business/decider.ts';
import { enquiryFormDecider } from '#core/enquiry-form/decider.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import type { Position } from '#core/event-store/port.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import type { Command } from '#core/kernel/command.ts';
import { batchDecider } from '#core/kernel/decider.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import type { BusinessRegistration } from './register-business.ts';

/** What is opened; where no word on the newsletter is given, it is wanted. `isEmailAwaited`: a link is to come back from the email. */
export type OpenedBusiness = Omit<BusinessRegistration, 'password'> &
  Readonly<{ newsletter?: boolean; isEmailAwaited?: boolean }>;

/** `commandId` is a UUID, and `at` the instant of the events. */
export type OpeningCause = Readonly<{ commandId: string; actor: string; correlation: string; at: string }>;

type Ids = Readonly<{ accountId: string; businessId: string }>;

/**
 * Opens an account, its business and its enquiry form, whose email, mobile and slug are the account's already. Each command
 * has an id of its own that derives from the cause's, so a repeat appends nothing and finishes what a crash left. Answers
 * the position of the last event.
 */
export async function openBusiness(
  { store }: Pick<Deps, 'store'>,
  { accountId, businessId }: Ids,
  input: OpenedBusiness,
  { commandId, actor, correlation, at }: OpeningCause,
): Promise<Position> {
  const causeOf = (command: Command) => ({ commandId: uuidV5(commandId, command.type), actor, correlation });
  const { email, phone, firstName, lastName, region, plan, bn, name, tradingName, tagline } = input;
  const { timeZone, coverage, slug, theme, logo, intro, trades, contact, newsletter = true } = input;
  const { isEmailAwaited = false } = input;

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
  const stream = streamName('enquiryForm', businessId);
  return (await handleCommand(store, enquiryFormDecider, stream, form, causeOf(form))).position;
}

import { loadAccount, loadBusiness } from '#api/accounts/load-account.ts';
import type { Clock, Deps } from '#api/deps.ts';
import type { Session } from '#api/http/request-context.ts';
import { countHeldBack } from '#api/messages/outbox/outbox.ts';
import { mailsADay } from '#api/messages/outbox/recipient-limit.ts';
import { isEmailTrusted } from '#core/account/state.ts';
import { businessDecider } from '#core/business/decider.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { type ContactChange, type ContactKind, contactChangesOf } from './contact-changes.ts';

/** A change that waits to be confirmed. */
export type Pending = Readonly<{ value: string; expiresAt: string }>;

/** How an account is reached, what of it the public page shows, and what is about to change. Phone in E.164. */
export type Contact = Readonly<{
  email: string;
  phone: string;
  showEmail: boolean;
  showPhone: boolean;
  pendingEmail: Pending | null;
  pendingPhone: Pending | null;
  /** While a link is to come back from `email`: how many mails a day go to customers, and how many waited since yesterday. */
  unconfirmed: Readonly<{ mailsADay: number; heldBack: number }> | null;
}>;

/** The contact of the signed-in account, from its streams: never behind. */
export async function contactOf(
  deps: Pick<Deps, 'config' | 'db' | 'store' | 'now'>,
  { accountId, businessId }: Session,
): Promise<Contact> {
  const { account } = await loadAccount(deps, accountId);
  const contact = await publishedContact(deps, businessId);
  const changes = await contactChangesOf(deps.db, deps.config.keys, accountId, deps.now());
  return {
    email: account.email,
    phone: account.phone,
    showEmail: contact.email !== null,
    showPhone: contact.phone !== null,
    pendingEmail: pending(changes, 'email'),
    pendingPhone: pending(changes, 'mobile'),
    unconfirmed: isEmailTrusted(account)
      ? null
      : { mailsADay, heldBack: await countHeldBack(deps.db, businessId, deps.now()) },
  };
}

export type Shown = Readonly<{ showEmail?: boolean; showPhone?: boolean }>;

/** 'Show on my public page', or no more. What is absent stays as it is. */
export async function showContact(
  deps: Clock & Pick<Deps, 'store' | 'readSide'>,
  { accountId, businessId }: Session,
  { showEmail, showPhone }: Shown,
  correlation: string,
): Promise<void> {
  const { account } = await loadAccount(deps, accountId);
  const contact = await publishedContact(deps, businessId);
  const data = {
    businessId,
    email: shown(showEmail, contact.email, account.email),
    phone: shown(showPhone, contact.phone, account.phone),
  };
  const command = { type: 'PublishBusinessContact', at: deps.now().toISOString(), data } as const;
  const cause = { commandId: deps.newId(), actor: `account:${accountId}`, correlation };
  const stream = streamName('business', businessId);
  const { position } = await handleCommand(deps.store, businessDecider, stream, command, cause);
  await deps.readSide.waitFor(['public-form'], position);
}

async function publishedContact(deps: Pick<Deps, 'store'>, businessId: string) {
  const business = await loadBusiness(deps, businessId);
  if (!business) throw new NotFoundError('Business not found');
  return business.contact;
}

/** What is already shown stays what it is, even where it is not the account's own. */
function shown(wanted: boolean | undefined, present: string | null, own: string): string | null {
  if (wanted === undefined) return present;
  return wanted ? (present ?? own) : null;
}

function pending(changes: readonly ContactChange[], wanted: ContactKind): Pending | null {
  const change = changes.find(({ kind }) => kind === wanted);
  return change ? { value: change.value, expiresAt: change.expiresAt.toISOString() } : null;
}

import { resendAfter } from '#api/accounts/contact-budgets.ts';
import { loadAccount, loadBusiness } from '#api/accounts/load-account.ts';
import type { Clock, Deps } from '#api/deps.ts';
import type { Session } from '#api/http/request-context.ts';
import { countHeldBack } from '#api/outbox/queue.ts';
import { mailsADay } from '#api/outbox/recipient-limit.ts';
import { isEmailTrusted } from '#core/account/state.ts';
import { businessDecider } from '#core/business/decider.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import {
  type ContactChange,
  type ContactKind,
  contactChangeLife,
  contactChangesOf,
} from './contact-changes.ts';

/** A change that waits to be confirmed. */
export type Pending = Readonly<{ value: string; expiresAt: string }>;

/** A mobile that waits for its code. `resendAfter`: seconds before another one may be asked for, 0 from then on. */
export type PendingPhone = Pending & Readonly<{ resendAfter: number }>;

/** How an account is reached, what of it the public page shows, and what is about to change. Phone in E.164. */
export type Contact = Readonly<{
  email: string;
  phone: string;
  showEmail: boolean;
  showPhone: boolean;
  pendingEmail: Pending | null;
  pendingPhone: PendingPhone | null;
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
  const now = deps.now();
  const changes = await contactChangesOf(deps.db, deps.config.keys, accountId, now);
  return {
    email: account.email,
    phone: account.phone,
    showEmail: contact.email !== null,
    showPhone: contact.phone !== null,
    pendingEmail: pending(changes, 'email'),
    pendingPhone: pendingPhone(changes, now),
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
  await deps.readSide.waitFor(['accounts', 'public-form'], position);
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

function pendingPhone(changes: readonly ContactChange[], now: Date): PendingPhone | null {
  const waiting = pending(changes, 'mobile');
  if (waiting === null) return null;
  const sentAt = Date.parse(waiting.expiresAt) - contactChangeLife.mobile;
  const wait = Math.ceil((sentAt - now.getTime()) / 1_000) + resendAfter;
  return { ...waiting, resendAfter: Math.max(0, wait) };
}

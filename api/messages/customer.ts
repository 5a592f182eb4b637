import { loadAccount, loadBusiness } from '#api/accounts/load-account.ts';
import type { Deps } from '#api/deps.ts';
import { isEmailTrusted } from '#core/account/state.ts';
import type { JobDetails } from '#core/job/view.ts';
import { businessNumberLabels } from '#core/values/business.ts';
import { formatPhone, isEmail, namesAnAddress, spaced } from '#core/values/contact.ts';
import { jobReference } from '#core/values/job-form.ts';
import { HeldBackError } from './outbox/held-back.ts';
import type { OutboxMessage } from './outbox/outbox.ts';
import { mayMailAsUnconfirmed } from './outbox/recipient-limit.ts';

/** Whom a customer's mail goes to and about whom. Holds nothing that the sender of the form typed but the address. */
export type Customer = Readonly<{
  email: string;
  business: string;
  /** How to reach the business, as a sentence; none where it publishes no number. */
  contact: readonly string[];
  reference: string;
  why: string;
}>;

/**
 * The customer of a request, to be mailed in the name of its business; null where no email was left. Throws
 * HeldBackError once a business whose own address awaits its confirmation has mailed as many today as it may.
 */
export async function customerOf(
  deps: Pick<Deps, 'config' | 'db' | 'store'>,
  message: Pick<OutboxMessage, 'attempts'>,
  { type, email, businessId, id }: JobDetails,
): Promise<Customer | null> {
  if (type !== 'Consumer' || !isEmail(email)) return null;
  const found = await loadBusiness(deps, businessId);
  if (!found) throw new TypeError('a job belongs to a business');
  const { account } = await loadAccount(deps, found.accountId);
  if (!isEmailTrusted(account) && !(await mayMailAsUnconfirmed(deps, message, businessId))) {
    throw new HeldBackError();
  }
  const { bn, region, contact } = found;
  const named = found.tradingName || found.name;
  // A name from before addresses were refused in it.
  const business = namesAnAddress(named) ? 'the business' : spaced(named);
  const who = isSameName(named, found.name)
    ? business
    : `${business} (${businessNumberLabels[region]} ${bn})`;
  return {
    ...{ email, business, reference: jobReference(id) },
    contact: contact.phone === null ? [] : [`To reach ${business}, call ${formatPhone(contact.phone)}.`],
    why: `You get this because this address was given in the job request form of ${who}. If that was not you, there is nothing to do.`,
  };
}

/** Whether customers can tell the business from the register's name: case, signs and the form of a company do not count. */
function isSameName(named: string, registered: string): boolean {
  return bareName(named) === bareName(registered);
}

function bareName(name: string): string {
  const words =
    name
      .normalize('NFKD')
      .toLowerCase()
      .match(/[\p{L}\d]+/gu) ?? [];
  return words.filter((word) => !['pty', 'ltd', 'limited', 'proprietary'].includes(word)).join(' ');
}

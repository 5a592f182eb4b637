import { loadAccount } from '#api/accounts/load-account.ts';
import type { Deps } from '#api/deps.ts';
import { isEmailTrusted } from '#core/account/state.ts';
import { isBusinessEvent } from '#core/business/events.ts';
import { type BusinessState, evolveBusiness } from '#core/business/state.ts';
import type { JobDetails } from '#core/job/view.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import type { Notifications } from '#core/values/notifications.ts';
import type { OutboxMessage } from './outbox/outbox.ts';

/** Whom a message for a business goes to. `phone` is E.164, `timeZone` IANA, `business` the trading name. */
export type Tradie = Readonly<{
  accountId: string;
  email: string;
  phone: string;
  timeZone: string;
  business: string;
  wants: Notifications;
  /** Whether mail to the address may repeat what an applicant typed: not before a link came back from it. */
  isEmailTrusted: boolean;
}>;

/** The owner of a business, from the log: as the account and the business are now. Throws where there is no such business. */
export async function tradieOf({ store }: Pick<Deps, 'store'>, businessId: string): Promise<Tradie> {
  const recorded = await store.readStream(streamName('business', businessId));
  const business = recorded.reduce<BusinessState>(
    (state, { event }) => (event && isBusinessEvent(event) ? evolveBusiness(state, event) : state),
    null,
  );
  if (business === null) throw new Error('the business has no owner');
  const { accountId, timeZone, tradingName, name } = business;
  const { account } = await loadAccount({ store }, accountId);
  const { email, phone, notifications: wants } = account;
  return {
    ...{ accountId, email, phone, timeZone, wants },
    business: tradingName || name,
    isEmailTrusted: isEmailTrusted(account),
  };
}

/** Whether the tradie wants to hear of such a job: a request with answers is an enquiry, one without a simple contact. */
export function wantsAlert({ wants }: Pick<Tradie, 'wants'>, { type, answers }: JobDetails): boolean {
  const isEnquiry = type === 'WorkOrder' || answers.length > 0;
  return isEnquiry ? wants.jobEnquiries : wants.simpleContacts;
}

/** Whether the tradie is notified by mail: where that is on, and in place of an SMS that was not sent. */
export function wantsMail({ wants }: Pick<Tradie, 'wants'>, { data }: Pick<OutboxMessage, 'data'>): boolean {
  return wants.email || data['insteadOfSms'] === true;
}

/** Why a tradie gets mail about jobs. */
export function whyByMail(
  { business: named, wants, isEmailTrusted }: Pick<Tradie, 'business' | 'wants' | 'isEmailTrusted'>,
  { data }: Pick<OutboxMessage, 'data'>,
): string {
  const business = isEmailTrusted ? named : 'your business';
  if (!wants.email && data['insteadOfSms'] === true) {
    return `You get this because SMS for new jobs is on for ${business}, and this one was not sent by SMS: many came at once, or we could not check that a person sent it.`;
  }
  return `You get this because email for new jobs is on for ${business}. Change that in your profile, under Notifications.`;
}

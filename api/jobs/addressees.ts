import { loadAccount, loadBusiness } from '#api/accounts/load-account.ts';
import type { Deps } from '#api/deps.ts';
import { type LoadedJob, loadJob } from '#api/jobs/load-job.ts';
import type { MailParts } from '#api/outbox/mail-layout.ts';
import { HeldBackError, type OutboxMessage } from '#api/outbox/queue.ts';
import { mayMailAsUnconfirmed } from '#api/outbox/recipient-limit.ts';
import { isEmailTrusted } from '#core/account/state.ts';
import { isBusinessEvent } from '#core/business/events.ts';
import { type BusinessState, evolveBusiness } from '#core/business/state.ts';
import { picturesIn } from '#core/job/photos/files.ts';
import type { JobDetails } from '#core/job/view.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import type { Notifications } from '#core/values/account.ts';
import { businessNumberLabels } from '#core/values/business.ts';
import { isEmail } from '#core/values/contact.ts';
import { leftOut, suburbOf, withoutContact } from '#core/values/contact-in-text.ts';
import { jobReference } from '#core/values/job-form.ts';
import { formatPhone } from '#core/values/phone.ts';
import { product } from '#core/values/product.ts';
import { namesAnAddress, spaced } from '#core/values/web-address.ts';

/** The job that a message is about, as it is now. */
export async function loadMessageJob(
  deps: Pick<Deps, 'store'>,
  { businessId, jobId, kind }: Pick<OutboxMessage, 'businessId' | 'jobId' | 'kind'>,
): Promise<LoadedJob & { businessId: string }> {
  if (businessId === null || jobId === null) throw new TypeError(`${kind} is about a job`);
  return { ...(await loadJob(deps, businessId, jobId)), businessId };
}

/** Whether the tradie has yet to answer it, and is to be alerted: not of one whose customer wants to be forgotten. */
export function isWaiting({
  status,
  noLongerNeededAt,
  heldFor,
  erasureDueAt,
  erasedAt,
}: JobDetails): boolean {
  const isToForget = erasureDueAt !== null || erasedAt !== null;
  return status === 'Pending' && noLongerNeededAt === null && heldFor === null && !isToForget;
}

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
    business: namedInMail(tradingName || name, 'your business'),
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

/**
 * Whom a customer's mail goes to and about whom. What was typed into the form stands in it without contact, and only once the business's
 * own address is confirmed: else a stranger could have us send words of theirs to any mailbox.
 */
export type Customer = Readonly<{
  email: string;
  business: string;
  /** The business with the first name of its tradie: `Dave from Acme Plumbing`. */
  sender: string;
  /** `Hi Sal,` where the customer's first name is one. */
  hello: readonly string[];
  /** The request by its title: `your request “Leaking tap”`. */
  request: string;
  /** What was sent, a line each; none where it may not be repeated. */
  sent: readonly string[];
  /** How a mail in the business's name looks, and where an answer to it goes. */
  look: Pick<MailParts, 'colour' | 'replyTo'>;
  /** How to reach the business, as a sentence; none where it publishes no number. */
  contact: readonly string[];
  reference: string;
  /** The subject of a mail that says what became of the request; names no business whose own address is not confirmed. */
  subject(became: string): string;
  why: string;
}>;

/**
 * The customer of a request, to be mailed in the name of its business; null where no email was left. Throws
 * HeldBackError once a business whose own address awaits its confirmation has mailed as many today as it may.
 */
export async function customerOf(
  deps: Pick<Deps, 'config' | 'db' | 'store'>,
  message: Pick<OutboxMessage, 'attempts'>,
  details: JobDetails,
): Promise<Customer | null> {
  const { type, email, businessId, id } = details;
  if (type !== 'Consumer' || !isEmail(email)) return null;
  const found = await loadBusiness(deps, businessId);
  if (!found) throw new TypeError('a job belongs to a business');
  const { account } = await loadAccount(deps, found.accountId);
  const isTrusted = isEmailTrusted(account);
  if (!isTrusted && !(await mayMailAsUnconfirmed(deps, message, businessId))) {
    throw new HeldBackError();
  }
  const reference = jobReference(id);
  const { bn, region, contact, theme } = found;
  const named = found.tradingName || found.name;
  const business = namedInMail(named, 'the business');
  const who = isSameName(named, found.name)
    ? business
    : `${business} (${businessNumberLabels[region]} ${bn})`;
  return {
    ...{ email, business, reference },
    sender: isTrusted && isFirstName(account.firstName) ? `${account.firstName} from ${business}` : business,
    ...(isTrusted ? repeated(details) : { hello: [], request: 'your job request', sent: [] }),
    look: { colour: theme, ...(isTrusted && contact.email !== null && { replyTo: contact.email }) },
    subject: (became) =>
      `Your request ${reference} ${became}${isTrusted ? `: ${business}` : ''} via ${product.name}`,
    contact:
      contact.phone === null ? [] : [`To reach ${business}, call ${formatPhone(contact.phone, region)}.`],
    why: `You get this because this address was given in the job request form of ${who}. If that was not you, there is nothing to do.`,
  };
}

/** What a customer's mail repeats of the form. The street stays out: the mailbox may be a stranger's. */
function repeated(details: JobDetails): Pick<Customer, 'hello' | 'request' | 'sent'> {
  const said = (text: string) => withoutContact(text, leftOut);
  const firstName = details.name.trim().split(/\s+/)[0] ?? '';
  const place = suburbOf(details.location.address);
  const files = details.media.filter(({ work }) => !work);
  const photos = picturesIn(files);
  const others = files.length - photos;
  return {
    hello: isFirstName(firstName) ? [`Hi ${firstName},`] : [],
    request: `your job request “${said(details.title)}”`,
    sent: [
      `Job: ${said(details.title)}`,
      ...(place ? [`Where: ${place}`] : []),
      ...(details.description ? [`In your words: ${said(details.description)}`] : []),
      ...(photos > 0 ? [`Photos: ${photos}`] : []),
      ...(others > 0 ? [`Other files: ${others}`] : []),
    ],
  };
}

/** Letters alone, as names have them, and not too many. */
function isFirstName(name: string): boolean {
  return /^\p{L}[\p{L}\p{M}'’-]{0,29}$/u.test(name);
}

/** The name of a business as mail has it, and `instead` for one that has an address in it. */
export function namedInMail(name: string, instead: string): string {
  return namesAnAddress(name) ? instead : spaced(name);
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

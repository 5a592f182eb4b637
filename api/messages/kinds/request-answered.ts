import { type Customer, customerOf } from '#api/messages/customer.ts';
import { loadMessageJob } from '#api/messages/load-message-job.ts';
import { mailOf } from '#api/messages/mail-layout.ts';
import type { MailKind } from '#api/messages/message-kind.ts';
import type { RecordedEvent } from '#core/event-store/port.ts';
import type { JobEvent } from '#core/job/events.ts';
import { product } from '#core/values/product.ts';

/** Within this, in milliseconds, an answer can be undone: only after that is the customer notified. */
export const undoTime = 60_000;

/** Tells the customer that the tradie takes the job. */
export const requestAccepted = answered('request-accepted', 'JobAccepted', (customer) => ({
  subject: `Your request ${customer.reference} was accepted: ${customer.business} via ${product.name}`,
  heading: 'Your request was accepted',
  paragraph: `${customer.business} has accepted your job request ${customer.reference} and will get in touch with you.`,
}));

/** Tells the customer that the tradie does not take the job. */
export const requestDeclined = answered('request-declined', 'JobRejected', (customer) => ({
  subject: `Your request ${customer.reference} was declined: ${customer.business} via ${product.name}`,
  heading: 'Your request was declined',
  paragraph: `Sorry, ${customer.business} cannot take on your job request ${customer.reference}. You are free to ask somebody else.`,
}));

type Words = Readonly<{ subject: string; heading: string; paragraph: string }>;

function answered(
  kind: string,
  event: 'JobAccepted' | 'JobRejected',
  words: (customer: Customer) => Words,
): MailKind {
  return {
    kind,
    follows: [event],
    delay: undoTime,
    channel: 'mail',
    label: 'The email that tells the customer of your answer',
    async compose(deps, message) {
      const job = await loadMessageJob(deps, message);
      if (answerInForce(job.events) !== message.data['revision']) return null;
      const customer =
        job.details.noLongerNeededAt === null ? await customerOf(deps, message, job.details) : null;
      if (!customer) return null;
      const { subject, heading, paragraph } = words(customer);
      const { email: to, contact, why } = customer;
      return mailOf({ to, subject, heading, paragraphs: [paragraph, ...contact], why });
    },
  };
}

/**
 * The revision of the answer that a job's customer is to hear: the last one that was not taken back, whatever else was
 * changed or undone since. Undefined where there is none.
 */
export function answerInForce(events: readonly RecordedEvent<JobEvent>[]): number | undefined {
  const undone = new Set(events.flatMap((event) => causeUndoneBy(event, events) ?? []));
  return events.findLast(
    ({ type, metadata }) =>
      (type === 'JobAccepted' || type === 'JobRejected') && !undone.has(metadata.causation),
  )?.revision;
}

/** The command whose change an event took back. */
function causeUndoneBy(
  { event }: RecordedEvent<JobEvent>,
  events: readonly RecordedEvent<JobEvent>[],
): string | undefined {
  if (event?.type !== 'JobStatusRestored') return undefined;
  return events.find(({ revision }) => revision === event.data.undone)?.metadata.causation;
}

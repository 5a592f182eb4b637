import { type Customer, customerOf, loadMessageJob } from '#api/jobs/addressees.ts';
import { mailOf } from '#api/outbox/mail-layout.ts';
import { type MailKind, mintedSecret } from '#api/outbox/message-kind.ts';
import { mayMail } from '#api/outbox/recipient-limit.ts';
import type { RecordedEvent } from '#core/event-store/port.ts';
import type { JobEvent } from '#core/job/job.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { unsentWords } from '#core/values/uploads.ts';
import { storeLink } from './answer-links.ts';

/**
 * Tells the customer at once that the request has arrived, with a link to call it off and one to what is held about them. Not while it is held for review:
 * a sender of many of those would have us write to strangers.
 */
export const requestReceipt: MailKind = {
  kind: 'request-receipt',
  follows: ['JobRequested'],
  channel: 'mail',
  label: 'The receipt to the customer',
  async compose(deps, message) {
    const { details, businessId } = await loadMessageJob(deps, message);
    const isWanted = details.noLongerNeededAt === null && details.heldFor === null;
    const customer = isWanted ? await customerOf(deps, message, details) : null;
    if (!customer || !(await mayMail(deps, message, customer.email))) return null;
    const { email, business, contact, reference, sent, why } = customer;
    const token = mintedSecret(deps.config, message);
    const target = { kind: 'not-needed', jobId: details.id, businessId, accountId: null } as const;
    await storeLink(deps.db, token, target, deps.now());
    const yourDetails = mintedSecret(deps.config, message, 'your details');
    await storeLink(deps.db, yourDetails, { ...target, kind: 'privacy' }, deps.now());
    const [requested] = await deps.store.readStream(streamName('job', details.id));
    const footNote = requested && (await deps.proof.receiptLine(details.id, requested.position));
    return mailOf({
      to: email,
      subject: customer.subject('has arrived'),
      heading: 'Your request has arrived',
      paragraphs: [
        ...customer.hello,
        `${business} has ${customer.request}. Its reference is ${reference}.`,
        ...(sent.length > 0 ? [`What you sent:\n${sent.join('\n')}`] : []),
        ...(details.unsentFiles > 0
          ? [
              `${unsentWords(details.unsentFiles)}, and ${business} can see that. Have your photos at hand for when they get in touch.`,
            ]
          : []),
        'You will hear from us by email when they accept or decline it.',
        ...contact,
        'Changed your mind? Let them know, so that they don’t come out for nothing.',
      ],
      action: { label: 'I no longer need this', url: `${deps.config.publicOrigin}/not-needed/${token}` },
      why,
      footLink: { label: 'Your details', url: `${deps.config.publicOrigin}/your-details/${yourDetails}` },
      ...customer.look,
      ...(footNote
        ? { footNote: { about: `${aboutLogLine} ${deps.config.publicOrigin}/check`, line: footNote } }
        : {}),
    });
  },
};

/** What the line below it is, for who wonders, with the page that takes it behind it. */
const aboutLogLine =
  'For your records: if it is ever disputed what you sent and when, this line shows that nothing was rewritten. Where to check it:';

/** Within this, in milliseconds, an answer can be undone: only after that is the customer notified. */
export const undoTime = 60_000;

/** Tells the customer that the tradie takes the job. */
export const requestAccepted = answered('request-accepted', 'JobAccepted', (customer) => ({
  subject: customer.subject('was accepted'),
  heading: 'Your request was accepted',
  paragraph: `${customer.sender} has accepted ${customer.request} (${customer.reference}) and will get in touch with you.`,
}));

/** Tells the customer that the tradie does not take the job. */
export const requestDeclined = answered('request-declined', 'JobRejected', (customer) => ({
  subject: customer.subject('was declined'),
  heading: 'Your request was declined',
  paragraph: `Sorry, ${customer.sender} cannot take on ${customer.request} (${customer.reference}). You are free to ask someone else.`,
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
      const { email: to, hello, contact, why, look } = customer;
      return mailOf({ to, subject, heading, paragraphs: [...hello, paragraph, ...contact], why, ...look });
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

import { loadBusiness } from '#api/accounts/load-account.ts';
import { storeLink } from '#api/intake/answer-links.ts';
import { customerOf, loadMessageJob, tradieOf } from '#api/jobs/addressees.ts';
import { mailOf } from '#api/outbox/mail-layout.ts';
import { type ComposingDeps, type MailKind, mintedSecret } from '#api/outbox/message-kind.ts';
import type { OutboxMessage } from '#api/outbox/queue.ts';
import type { Mail } from '#api/providers/messages.ts';
import type { BusinessState } from '#core/business/state.ts';
import type { JobEvent } from '#core/job/job.ts';
import { jobReference } from '#core/values/job-form.ts';
import { privacyRegulators } from '#core/values/region.ts';
import { keepReasonWords } from '#core/values/stored-details.ts';
import { dayWords, instantWords } from '#core/values/time.ts';

/** Tells the business that its customer asks for a correction. What they wrote stands in the job, and not in the mail. */
export const correctionAskedMail: MailKind = {
  kind: 'correction-asked-mail',
  follows: ['CustomerCorrectionAsked'],
  channel: 'mail',
  label: 'The email that the customer asks for a correction',
  async compose(deps, message) {
    const { details } = await loadMessageJob(deps, message);
    if (details.erasedAt !== null) return null;
    return askedMail(deps, message, {
      heading: 'A customer asks for a correction',
      paragraphs: () => [
        'They looked at what is held about them and wrote what is to be corrected.',
        'Open the job and say whether you agree. If you do not, what they wrote stays with the job as their statement.',
      ],
    });
  },
};

/** Tells the business that its customer asks for the removal of their details, and what there is to do. */
export const removalAskedMail: MailKind = {
  kind: 'removal-asked-mail',
  follows: ['CustomerRemovalAsked'],
  channel: 'mail',
  label: 'The email that the customer asks to remove their details',
  async compose(deps, message) {
    const { details } = await loadMessageJob(deps, message);
    const { erasureDueAt, removalAskedAt } = details;
    if (removalAskedAt === null) return null;
    return askedMail(deps, message, {
      heading: 'A customer asks to remove their details',
      paragraphs: (timeZone) =>
        erasureDueAt === null
          ? [
              'You accepted this job, so it is for you to answer: open the job and remove the details, or keep them for one of four reasons.',
              'Until then the customer sees on their page that the answer is yours.',
            ]
          : [
              `There is nothing for you to do: the details will be removed on ${instantWords(erasureDueAt, timeZone)}. Until then phone and email are withheld.`,
            ],
    });
  },
};

async function askedMail(
  deps: ComposingDeps,
  message: OutboxMessage,
  { heading, paragraphs }: Readonly<{ heading: string; paragraphs(timeZone: string): string[] }>,
): Promise<Mail> {
  const { details, businessId } = await loadMessageJob(deps, message);
  const tradie = await tradieOf(deps, businessId);
  const reference = jobReference(details.id);
  const business = tradie.isEmailTrusted ? tradie.business : 'your business';
  return mailOf({
    to: tradie.email,
    subject: `${heading}: ${reference}`,
    heading,
    paragraphs: [`The job has the reference ${reference}.`, ...paragraphs(tradie.timeZone)],
    action: { label: 'Open the job', url: `${deps.config.publicOrigin}/jobs/details/${details.id}` },
    why: `You get this because a customer of ${business} used the link to their details.`,
  });
}

declare module '#api/outbox/queue.ts' {
  interface QueuedMessages {
    'removal-reminder': Readonly<{ day: number }>;
  }
}

/** Reminds a business that a customer still waits for its answer: the details go, or stay for a reason. */
export const removalReminder: MailKind = {
  kind: 'removal-reminder',
  channel: 'mail',
  label: 'The reminder that a customer asked to remove their details',
  async compose(deps, message) {
    const { details, businessId } = await loadMessageJob(deps, message);
    const { removalAskedAt, erasureDueAt } = details;
    if (removalAskedAt === null || erasureDueAt !== null) return null;
    const tradie = await tradieOf(deps, businessId);
    const reference = jobReference(details.id);
    const business = tradie.isEmailTrusted ? tradie.business : 'your business';
    return mailOf({
      to: tradie.email,
      subject: `A customer is waiting for your answer: ${reference}`,
      heading: 'A customer is waiting for your answer',
      paragraphs: [
        `The customer of job ${reference} asked on ${dayWords(removalAskedAt, tradie.timeZone)} to remove their details.`,
        'Open the job to remove them, or to keep them for one of four reasons. The customer is told which, and when they will be removed.',
        'In New Zealand the law asks for an answer within 20 working days; in Australia customers may complain after 30 days.',
      ],
      action: { label: 'Open the job', url: `${deps.config.publicOrigin}/jobs/details/${details.id}` },
      why: `You get this because a customer of ${business} used the link to their details.`,
    });
  },
};

/** Tells the customer that the business keeps their details: why, when they go by themselves, and where to complain. */
export const removalRefusedMail: MailKind = {
  kind: 'removal-refused-mail',
  follows: ['CustomerRemovalRefused'],
  channel: 'mail',
  label: 'The email that tells the customer why their details stay',
  compose: (deps, message) =>
    answeredMail(deps, message, ({ answer, business, reference, held, complain }) =>
      answer.type === 'CustomerRemovalRefused'
        ? {
            heading: 'Your details stay for now',
            paragraphs: [
              `You asked ${business} to remove your details of request ${reference}. They keep them, because ${keepReasonWords[answer.data.reason]}.`,
              `Your details will be removed automatically on ${dayWords(answer.data.until, held.timeZone)}. There is nothing for you to do.`,
              ...complain,
            ],
          }
        : null,
    ),
};

/** Tells the customer what became of the correction that they asked for. What they wrote stands on their page alone. */
export const correctionAnsweredMail: MailKind = {
  kind: 'correction-answered-mail',
  follows: ['CustomerCorrectionAnswered'],
  channel: 'mail',
  label: 'The email that tells the customer of your answer to their correction',
  compose: (deps, message) =>
    answeredMail(deps, message, ({ answer, business, reference, complain }) =>
      answer.type !== 'CustomerCorrectionAnswered'
        ? null
        : answer.data.answer === 'agreed'
          ? {
              heading: 'Your correction stands',
              paragraphs: [
                `${business} agrees to the correction that you asked for in request ${reference}. Your details as they are held now are behind the link.`,
              ],
            }
          : {
              heading: 'Your correction stays as your statement',
              paragraphs: [
                `${business} does not agree to the correction that you asked for in request ${reference}. What you wrote stays with the job as your statement.`,
                ...complain,
              ],
            },
    ),
};

type Answered = Readonly<{
  answer: JobEvent;
  business: string;
  reference: string;
  held: NonNullable<BusinessState>;
  /** What to do about an answer that the customer does not agree with. */
  complain: readonly string[];
}>;

/** A mail about the event that the message follows, with a link to the customer's page; null once the details go. */
async function answeredMail(
  deps: ComposingDeps,
  message: OutboxMessage,
  words: (answered: Answered) => Readonly<{ heading: string; paragraphs: readonly string[] }> | null,
): Promise<Mail | null> {
  const { details, events, businessId } = await loadMessageJob(deps, message);
  const answer = events.find(({ revision }) => revision === message.data['revision'])?.event;
  if (!answer || details.erasedAt !== null || details.erasureDueAt !== null) return null;
  const [customer, held] = await Promise.all([
    customerOf(deps, message, details),
    loadBusiness(deps, businessId),
  ]);
  if (!customer || !held) return null;
  const { email, business, contact, reference, why, hello, look } = customer;
  const { name, url } = privacyRegulators[held.region];
  const complain = [
    ...contact,
    `Don't agree? Talk to ${business} first. You can also complain to ${name}: ${url}`,
  ];
  const said = words({ answer, business, reference, held, complain });
  if (said === null) return null;
  const token = mintedSecret(deps.config, message, 'your details');
  const target = { kind: 'privacy', jobId: details.id, businessId, accountId: null } as const;
  await storeLink(deps.db, token, target, deps.now());
  return mailOf({
    ...{ to: email, subject: `${said.heading}: request ${reference}`, heading: said.heading },
    paragraphs: [...hello, ...said.paragraphs],
    ...look,
    action: { label: 'Your details', url: `${deps.config.publicOrigin}/your-details/${token}` },
    why,
  });
}

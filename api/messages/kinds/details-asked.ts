import { loadMessageJob } from '#api/messages/load-message-job.ts';
import { mailOf } from '#api/messages/mail-layout.ts';
import type { ComposingDeps, MailKind } from '#api/messages/message-kind.ts';
import type { OutboxMessage } from '#api/messages/outbox/outbox.ts';
import { tradieOf } from '#api/messages/tradie.ts';
import type { Mail } from '#api/providers/messages.ts';
import { jobReference } from '#core/values/job-form.ts';
import { instantWords } from '#core/values/time.ts';

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
              `There is nothing for you to do: the details go on ${instantWords(erasureDueAt, timeZone)}. Until then phone and email are withheld.`,
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

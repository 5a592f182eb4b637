import { loadMessageJob } from '#api/messages/load-message-job.ts';
import { mailOf } from '#api/messages/mail-layout.ts';
import type { MailKind } from '#api/messages/message-kind.ts';
import { tradieOf } from '#api/messages/tradie.ts';
import { jobReference } from '#core/values/job-form.ts';
import { dayWords } from '#core/values/time.ts';

declare module '#api/messages/outbox/outbox.ts' {
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
      subject: `A customer waits for your answer: ${reference}`,
      heading: 'A customer waits for your answer',
      paragraphs: [
        `The customer of job ${reference} asked on ${dayWords(removalAskedAt, tradie.timeZone)} to remove their details.`,
        'Open the job to remove them, or to keep them for one of four reasons. The customer is told which, and when they go by themselves.',
        'In New Zealand the law asks for an answer within 20 working days; in Australia customers may complain after 30 days.',
      ],
      action: { label: 'Open the job', url: `${deps.config.publicOrigin}/jobs/details/${details.id}` },
      why: `You get this because a customer of ${business} used the link to their details.`,
    });
  },
};

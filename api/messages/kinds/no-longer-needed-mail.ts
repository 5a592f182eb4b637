import { mailOf } from '#api/messages/mail-layout.ts';
import type { MailKind } from '#api/messages/message-kind.ts';
import { calledOff } from '#api/messages/no-longer-needed.ts';
import { wantsMail, whyByMail } from '#api/messages/tradie.ts';

declare module '#api/messages/outbox/outbox.ts' {
  interface QueuedMessages {
    /** In place of an SMS that may not go out. */
    'no-longer-needed-mail': Readonly<{ revision: number; insteadOfSms: true }>;
  }
}

/** Tells the tradie that the customer called a job off. */
export const noLongerNeededMail: MailKind = {
  kind: 'no-longer-needed-mail',
  follows: ['JobNoLongerNeeded'],
  channel: 'mail',
  label: 'The email that this job is no longer needed',
  async compose(deps, message) {
    const job = await calledOff(deps, message);
    if (!job || !wantsMail(job.tradie, message)) return null;
    const { tradie, scheduled, jobUrl } = job;
    const { title, suburb } = tradie.isEmailTrusted ? job : { title: 'a job of yours', suburb: null };
    return mailOf({
      to: tradie.email,
      subject: `No longer needed: ${title}`,
      heading: 'The customer no longer needs this job',
      paragraphs: [
        suburb ? `${title}\n${suburb}` : title,
        ...(scheduled ? [`It is on your schedule for ${scheduled}.`] : []),
        'The job stays as it is until you change it.',
      ],
      action: { label: 'Open the job', url: jobUrl },
      why: whyByMail(tradie, message),
    });
  },
};

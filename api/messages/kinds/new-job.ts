import { spendAlert } from '#api/messages/alert-budget.ts';
import { mailOf } from '#api/messages/mail-layout.ts';
import type { MailKind, SmsKind } from '#api/messages/message-kind.ts';
import { alertText, answerUrl, newJob } from '#api/messages/new-job.ts';
import { wantsMail, whyByMail } from '#api/messages/tradie.ts';
import { jobReference, waysToReach } from '#core/values/job-form.ts';
import { product } from '#core/values/product.ts';

declare module '#api/messages/outbox/outbox.ts' {
  interface QueuedMessages {
    /** In place of an SMS that may not go out. */
    'new-job-mail': Readonly<{ revision: number; insteadOfSms: true }>;
  }
}

/** An address that is not confirmed is sent no word of a stranger. */
const untold = { title: 'A job waits for your answer', suburb: null, when: 'see the job' };

/** Tells the tradie of a job that waits for an answer. */
export const newJobMail: MailKind = {
  kind: 'new-job-mail',
  follows: ['JobRequested', 'WorkOrderReceived'],
  channel: 'mail',
  label: 'The email about this job',
  async compose(deps, message) {
    const job = await newJob(deps, message);
    if (!job || !wantsMail(job.tradie, message)) return null;
    const { tradie, details } = job;
    const { title, suburb, when } = tradie.isEmailTrusted ? job : untold;
    const place = suburb ? `, ${suburb}` : '';
    return mailOf({
      to: tradie.email,
      subject: `${details.isUrgent ? 'Urgent job' : 'New job'}: ${title}${place}`,
      heading: details.type === 'WorkOrder' ? `New job from ${product.name}` : 'New job request',
      paragraphs: [
        title,
        [
          ...(details.isUrgent ? ['Urgent'] : []),
          `Where: ${suburb ?? 'see the job'}`,
          `When: ${when ?? 'not said'}`,
          ...(details.reachBy ? [`Best reached by: ${waysToReach[details.reachBy]}`] : []),
          `Reference: ${jobReference(details.id)}`,
        ].join('\n'),
        'Phone and email of the customer show once you accept.',
      ],
      action: { label: 'See the job and answer', url: await answerUrl(deps, message, job) },
      why: whyByMail(tradie, message),
    });
  },
};

/** Tells the tradie of a job at once where no mail does, and besides the mail when it is urgent. */
export const newJobSms: SmsKind = {
  kind: 'new-job-sms',
  follows: ['JobRequested', 'WorkOrderReceived'],
  channel: 'sms',
  label: 'The SMS about this job',
  async compose(deps, message) {
    const job = await newJob(deps, message);
    if (!job?.tradie.wants.sms) return null;
    const { wants } = job.tradie;
    if (wants.email && !job.details.isUrgent) return null;
    const mail = wants.email ? null : 'new-job-mail';
    if (!(await spendAlert(deps, { message, isAnswered: false, mail }))) return null;
    return {
      to: job.tradie.phone,
      text: alertText(job, 'New job', await answerUrl(deps, message, job)),
    };
  },
};

/** After this, in milliseconds, the next channel is tried for a job that the tradie has not opened. */
export const unopenedAfter = 15 * 60_000;

/** The next channel for a job whose mail the tradie did not act on: a tradie who had the SMS at once gets no second one. */
export const unopenedJobSms: SmsKind = {
  kind: 'unopened-job-sms',
  follows: ['JobRequested', 'WorkOrderReceived'],
  delay: unopenedAfter,
  channel: 'sms',
  label: 'The SMS about this job',
  async compose(deps, message) {
    const job = await newJob(deps, message);
    if (!job?.tradie.wants.sms || !job.tradie.wants.email) return null;
    if (job.details.isUrgent || job.details.openedAt !== null) return null;
    if (!(await spendAlert(deps, { message, isAnswered: false, mail: null }))) return null;
    return {
      to: job.tradie.phone,
      text: alertText(job, 'Job waiting', await answerUrl(deps, message, job)),
    };
  },
};

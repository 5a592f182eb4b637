import { spendAlert } from '#api/messages/alert-budget.ts';
import type { SmsKind } from '#api/messages/message-kind.ts';
import { alertText, answerUrl, newJob } from '#api/messages/new-job.ts';

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

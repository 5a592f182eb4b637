import { spendAlert } from '#api/messages/alert-budget.ts';
import type { SmsKind } from '#api/messages/message-kind.ts';
import { alertText, answerUrl, newJob } from '#api/messages/new-job.ts';

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

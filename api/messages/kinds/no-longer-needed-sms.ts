import { spendAlert } from '#api/messages/alert-budget.ts';
import type { SmsKind } from '#api/messages/message-kind.ts';
import { calledOff } from '#api/messages/no-longer-needed.ts';
import { truncate } from '#core/values/text.ts';

/** Tells the tradie that a job was called off where no mail does, and besides the mail when the tradie was to turn up. */
export const noLongerNeededSms: SmsKind = {
  kind: 'no-longer-needed-sms',
  follows: ['JobNoLongerNeeded'],
  channel: 'sms',
  label: 'The SMS that this job is no longer needed',
  async compose(deps, message) {
    const job = await calledOff(deps, message);
    if (!job?.tradie.wants.sms) return null;
    const { tradie, title, scheduled, jobUrl, isAnswered } = job;
    const { wants } = tradie;
    if (wants.email && scheduled === null) return null;
    const mail = wants.email ? null : 'no-longer-needed-mail';
    if (!(await spendAlert(deps, { message, isAnswered, mail }))) return null;
    const when = scheduled ? ` It is scheduled for ${scheduled}.` : '';
    return { to: tradie.phone, text: `No longer needed: ${truncate(title, 60)}.${when} ${jobUrl}` };
  },
};

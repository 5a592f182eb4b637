import type { Deps } from '#api/deps.ts';
import { spendAlert } from '#api/messages/alert-budget.ts';
import { loadMessageJob } from '#api/messages/load-message-job.ts';
import { mailOf } from '#api/messages/mail-layout.ts';
import type { MailKind, SmsKind } from '#api/messages/message-kind.ts';
import type { OutboxMessage } from '#api/messages/outbox/outbox.ts';
import { type Tradie, tradieOf, wantsMail, whyByMail } from '#api/messages/tradie.ts';
import { hidesContact, isUnfinished } from '#core/job/statuses.ts';
import { shownText } from '#core/job/withheld-fields.ts';
import { suburbOf } from '#core/values/contact-in-text.ts';
import { truncate } from '#core/values/text.ts';
import { instantWords } from '#core/values/time.ts';

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

type CalledOff = Readonly<{
  tradie: Tradie;
  title: string;
  suburb: string | null;
  /** When the tradie was to turn up, in the business's zone. */
  scheduled: string | null;
  jobUrl: string;
  /** Whether the tradie had accepted it. */
  isAnswered: boolean;
}>;

/** A job that its customer called off, and whom to tell; null for one that is not worked on any more. */
async function calledOff(
  deps: Pick<Deps, 'config' | 'store'>,
  message: OutboxMessage,
): Promise<CalledOff | null> {
  const { details, businessId } = await loadMessageJob(deps, message);
  if (details.noLongerNeededAt === null || !isUnfinished(details.status) || details.erasedAt !== null)
    return null;
  const tradie = await tradieOf(deps, businessId);
  return {
    tradie,
    title: shownText(details, details.title),
    suburb: suburbOf(details.location.address),
    scheduled: details.scheduledAt && instantWords(details.scheduledAt, tradie.timeZone),
    isAnswered: !hidesContact(details.status),
    jobUrl: `${deps.config.publicOrigin}/jobs/details/${details.id}`,
  };
}

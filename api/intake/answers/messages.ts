import type { Deps } from '#api/deps.ts';
import { type JobSummary, jobSummary, storeLink } from '#api/intake/answer-links.ts';
import {
  isWaiting,
  loadMessageJob,
  type Tradie,
  tradieOf,
  wantsAlert,
  wantsMail,
  whyByMail,
} from '#api/jobs/addressees.ts';
import { mailOf } from '#api/outbox/mail-layout.ts';
import { type MailKind, mintedSecret, type SmsKind } from '#api/outbox/message-kind.ts';
import type { OutboxMessage } from '#api/outbox/queue.ts';
import { picturesIn } from '#core/job/photos/files.ts';
import { hidesContact, isUnfinished } from '#core/job/status/statuses.ts';
import type { JobDetails } from '#core/job/view.ts';
import { leftOut, suburbOf, withoutContact } from '#core/values/contact-in-text.ts';
import { jobReference, waysToReach } from '#core/values/job-form.ts';
import { product } from '#core/values/product.ts';
import { truncate } from '#core/values/text.ts';
import { instantWords } from '#core/values/time.ts';
import { unsentWords } from '#core/values/uploads.ts';
import { spendAlert } from './alert-budget.ts';
import { knownPlace } from './known-place.ts';

declare module '#api/outbox/queue.ts' {
  interface QueuedMessages {
    /** In place of an SMS that may not go out. */
    'new-job-mail': Readonly<{ revision: number; insteadOfSms: true }>;
    /** In place of an SMS that may not go out. */
    'no-longer-needed-mail': Readonly<{ revision: number; insteadOfSms: true }>;
    'test-alert-mail': Readonly<{ accountId: string }>;
    'test-alert-sms': Readonly<{ accountId: string }>;
  }
}

/** An address that is not confirmed is sent no word of a stranger, and not where the job is. */
const withheldJob = {
  title: 'A job is waiting for your answer',
  suburb: null,
  when: 'see the job',
  place: null,
};

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
    const { title, suburb, when, place } = tradie.isEmailTrusted ? job : withheldJob;
    const reference = jobReference(details.id);
    return mailOf({
      to: tradie.email,
      subject: `${details.isUrgent ? 'Urgent job' : 'New job'} ${reference}${outlined(details, place)}`,
      heading: details.type === 'WorkOrder' ? `New job from ${product.name}` : 'New job request',
      paragraphs: [
        title,
        [
          ...(details.isUrgent ? ['Urgent'] : []),
          `Where: ${suburb ?? 'see the job'}`,
          `When: ${when ?? 'not said'}`,
          ...(details.reachBy ? [`Best reached by: ${waysToReach[details.reachBy]}`] : []),
          ...(details.unsentFiles > 0 ? [unsentWords(details.unsentFiles)] : []),
          `Reference: ${reference}`,
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

/** What an alert says of a job: nothing by which the customer is reached. */
export type NewJob = JobSummary &
  Readonly<{
    tradie: Tradie;
    details: JobDetails;
    /** Where it is, in no words of the customer's. */
    place: string | null;
  }>;

/** The job and whom to tell; null when it waits no more, or the tradie does not want to hear of such jobs. */
async function newJob(deps: Pick<Deps, 'store'>, message: OutboxMessage): Promise<NewJob | null> {
  const { details, businessId } = await loadMessageJob(deps, message);
  if (!isWaiting(details)) return null;
  const tradie = await tradieOf(deps, businessId);
  if (!wantsAlert(tradie, details)) return null;
  const place = await knownPlace(details.location.address);
  return { tradie, details, place, ...jobSummary(details, tradie.timeZone) };
}

/** The address of the page that answers the job, for this message alone. */
async function answerUrl(
  deps: Pick<Deps, 'config' | 'db' | 'now'>,
  message: OutboxMessage,
  { tradie, details }: NewJob,
): Promise<string> {
  const token = mintedSecret(deps.config, message);
  const target = { kind: 'answer', jobId: details.id, businessId: details.businessId } as const;
  await storeLink(deps.db, token, { ...target, accountId: tradie.accountId }, deps.now());
  return `${deps.config.publicOrigin}/answer/${token}`;
}

/** No words of a customer's before the tradie has answered: an SMS goes out in our name, and phones make links of what it holds. */
function alertText({ details, place, tradie }: NewJob, opening: string, url: string): string {
  const { isUrgent, scheduledAt } = details;
  const lines = [
    `${isUrgent ? 'URGENT. ' : ''}${opening}${outlined(details, place)}.`,
    ...(scheduledAt === null ? [] : [`When: ${instantWords(scheduledAt, tradie.timeZone)}.`]),
    `Accept or reject: ${url}`,
  ];
  return lines.join(' ');
}

/** ` in Brunswick East VIC, 2 photos`: what may be said of a job in place of its customer's words. */
function outlined({ media }: JobDetails, place: string | null): string {
  const photos = picturesIn(media);
  const counted = photos === 0 ? '' : `, ${photos} ${photos === 1 ? 'photo' : 'photos'}`;
  return `${place === null ? '' : ` in ${place}`}${counted}`;
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
    const { title, suburb, called } = tradie.isEmailTrusted
      ? job
      : { title: 'a job of yours', suburb: null, called: 'a job of yours' };
    return mailOf({
      to: tradie.email,
      subject: `No longer needed: ${called}`,
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
    const { tradie, called, scheduled, jobUrl, isAnswered } = job;
    const { wants } = tradie;
    if (wants.email && scheduled === null) return null;
    const mail = wants.email ? null : 'no-longer-needed-mail';
    if (!(await spendAlert(deps, { message, isAnswered, mail }))) return null;
    const when = scheduled ? ` It is scheduled for ${scheduled}.` : '';
    return { to: tradie.phone, text: `No longer needed: ${truncate(called, 60)}.${when} ${jobUrl}` };
  },
};

type CalledOff = Readonly<{
  tradie: Tradie;
  title: string;
  suburb: string | null;
  /** Its title where the tradie has accepted it, else its reference and place. */
  called: string;
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
  const isAnswered = !hidesContact(details.status);
  const title = withoutContact(details.title, leftOut);
  const place = isAnswered ? null : await knownPlace(details.location.address);
  return {
    tradie,
    title,
    suburb: suburbOf(details.location.address),
    called: isAnswered ? title : `job ${jobReference(details.id)}${outlined(details, place)}`,
    scheduled: details.scheduledAt && instantWords(details.scheduledAt, tradie.timeZone),
    isAnswered,
    jobUrl: `${deps.config.publicOrigin}/jobs/details/${details.id}`,
  };
}

/** Shows a tradie that mail arrives. */
export const testAlertMail: MailKind = {
  kind: 'test-alert-mail',
  channel: 'mail',
  async compose(deps, message) {
    const { email } = await recipient(deps, message);
    return mailOf({
      to: email,
      subject: 'Your test alert',
      heading: 'It works',
      paragraphs: ['Alerts for new jobs arrive at this address.'],
      why: 'You get this because you asked for a test alert in your profile, under Notifications.',
    });
  },
};

/** Shows a tradie that SMS arrive. */
export const testAlertSms: SmsKind = {
  kind: 'test-alert-sms',
  channel: 'sms',
  async compose(deps, message) {
    const { phone, business, isEmailTrusted } = await recipient(deps, message);
    if (!(await spendAlert(deps, { message, isAnswered: true, mail: null }))) return null;
    return {
      to: phone,
      text: `${product.name} test alert: new jobs of ${isEmailTrusted ? business : 'your business'} reach you on this number.`,
    };
  },
};

function recipient(deps: Pick<Deps, 'store'>, { businessId, kind }: OutboxMessage): Promise<Tradie> {
  if (businessId === null) throw new TypeError(`${kind} is for a business`);
  return tradieOf(deps, businessId);
}

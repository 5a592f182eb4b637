import { useStore } from '@nanostores/react';
import { type MessageKind, messageLabels } from '#core/job/customer/customer-messages.ts';
import { hidesContact, type JobStatus } from '#core/job/status/statuses.ts';
import type { JobView } from '#core/job/view.ts';
import { mailLink } from '#core/values/contact.ts';
import { jobReference } from '#core/values/job-form.ts';
import { formatPhone } from '#core/values/phone.ts';
import { firstNameOf } from '#site/jobs/consumer-details.ts';
import { type HistoryEntry, jobHistory } from '#site/jobs/history/history-store.ts';
import { storeJob } from '#site/jobs/job-stores.ts';
import { directionsTo } from '#site/jobs/job-words.ts';
import { pathOf } from '#site/jobs/jobs-api.ts';
import { request } from '#site/lib/http/api.ts';
import { useQuery } from '#site/lib/http/query.ts';
import { $session, ownRegion } from '#site/lib/session/session-store.ts';
import { anyTime, dayKind, formatDay, formatTime } from '#site/lib/time/moments.ts';
import { wallTime } from '#site/lib/time/zone.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { KeepAfterAll } from './CustomerRequests.tsx';
import { DisputeOfJob } from './DisputeOfJob.tsx';
import { RemoveCustomer } from './RemoveCustomer.tsx';

type Messaged = Pick<JobView, 'name' | 'title' | 'scheduledAt' | 'phone' | 'status'>;

/** Work that the customer is still waiting for. */
const stillToDo: readonly JobStatus[] = ['To quote', 'In progress', 'Quoted'];

/** Whether the customer of a job may want to know where the tradie is: it is today, and not done. */
export function canMessage({ phone, status, scheduledAt }: Messaged, timeZone: string, now: Date): boolean {
  if (!phone || !scheduledAt || !stillToDo.includes(status)) return false;
  return dayKind(scheduledAt, timeZone, now) === 'today';
}

/** The sender, by the name that customers know, and the IANA zone of their clocks. */
type Sender = Readonly<{
  firstName?: string | undefined;
  businessName?: string | undefined;
  timeZone: string;
}>;

/** The link that opens the phone's own messages with the text filled in. `?&` is what both iOS and Android read. */
export function messageLink(kind: MessageKind, job: Messaged, sender: Sender): string {
  return `sms:${job.phone}?&body=${encodeURIComponent(messageText(kind, job, sender))}`;
}

/** In plain signs: a curly apostrophe makes two SMS of one. */
function messageText(
  kind: MessageKind,
  job: Messaged,
  { firstName, businessName, timeZone }: Sender,
): string {
  const { name, title, scheduledAt } = job;
  const who = [firstName, businessName].filter(Boolean).join(' from ');
  const from = who && `, ${who} here`;
  const hello = `Hi ${firstNameOf({ name })}${from}`;
  if (kind === 'on-my-way') return `${hello}. I'm on my way for your job: ${title}.`;
  const time = scheduledAt ? formatTime(scheduledAt, timeZone) : anyTime;
  const hour = time === anyTime ? '' : ` ${time}`;
  return `${hello}. I'm running late for your${hour} job: ${title}. Sorry, I'll be there as soon as I can.`;
}

/** What became of the customer's details, or becomes of them; null where they stay. Days are those of the zone. */
export function removalLine(
  { erasedAt, erasureDueAt }: Pick<JobView, 'erasedAt' | 'erasureDueAt'>,
  timeZone: string,
): string | null {
  const day = (instant: string) => `${formatDay(instant, timeZone)} ${wallTime(instant, timeZone).year}`;
  if (erasedAt) return `Details removed on ${day(erasedAt)}. Status and dates stay.`;
  return erasureDueAt ? `Phone and email are withheld: the details go on ${day(erasureDueAt)}.` : null;
}

type Asked = Pick<HistoryEntry, 'what' | 'at' | 'who'>;

/** What the customer asked for by the link of their receipt; null where they did not, or took it back. Newest entries first. */
export function askedLine(entries: readonly Asked[], timeZone: string): string | null {
  const [newest, before] = entries.filter(({ what }) =>
    ['removal-asked', 'removal-refused', 'erasure-cancelled'].includes(what),
  );
  // A refusal of what was planned already is followed by the end of that plan, which is the business's own.
  const isEndOfPlan = newest?.what === 'erasure-cancelled' && newest.who.kind !== 'customer';
  const last = isEndOfPlan && before?.what === 'removal-refused' ? before : newest;
  if (last?.what === 'removal-refused')
    return 'The customer asked to remove their details, and you keep them.';
  if (last?.what !== 'removal-asked') return null;
  const { at } = last;
  return `The customer asked to remove their details on ${formatDay(at, timeZone)} ${wallTime(at, timeZone).year}.`;
}

/** Whether the removal that is to come was planned by the customer, who alone may take it back. */
export function isPlannedByCustomer(entries: readonly Asked[]): boolean {
  return entries.find(({ what }) => what === 'erasure-planned')?.who.kind === 'customer';
}

/** Where the job is, and how to reach who asked, once it is accepted. */
export function ContactDetails({ job }: { job: JobView }) {
  const { address } = job.location;
  const zone = useStore($session, { ssr: () => null })?.user?.timeZone;
  const removal = zone ? removalLine(job, zone) : null;
  const entries = useQuery(jobHistory(job.id)).data?.entries ?? [];
  const isForCustomer = isPlannedByCustomer(entries);
  const asked = zone && !job.erasedAt ? askedLine(entries, zone) : null;
  return (
    <section className="card jd__contact" aria-labelledby="contact">
      <h2 id="contact">Contact details</h2>
      {!job.erasedAt && (
        <div className="facts">
          <Reach job={job} />
          <a className="fact" href={directionsTo(job.location)}>
            <Icon name="map-pin" />
            <span>{address}</span>
          </a>
        </div>
      )}
      <p className="jd__reference">
        <span>{'Reference '}</span>
        <b className="num">{jobReference(job.id)}</b>
      </p>
      {asked && (
        <p className="stateline">
          <Icon name="user-round" />
          <span>{asked}</span>
        </p>
      )}
      {removal && (
        <p className="stateline">
          <Icon name="lock" />
          <span>{removal}</span>
        </p>
      )}
      {!removal && hidesContact(job.status) && (
        <p className="stateline">
          <Icon name="lock" />
          <span>
            <span>{'Phone and email show once you '}</span>
            <b>accept</b>
          </span>
        </p>
      )}
      <RemoveCustomer job={job} isForCustomerToKeep={isForCustomer} />
      {job.erasureDueAt && job.removalAskedAt && !isForCustomer && <KeepAfterAll job={job} />}
      <DisputeOfJob job={job} />
    </section>
  );
}

function Reach({ job }: { job: JobView }) {
  if (hidesContact(job.status)) return null;
  return (
    <>
      {job.phone && (
        <a className="fact num" href={`tel:${job.phone}`}>
          <Icon name="phone" />
          <span>{formatPhone(job.phone, ownRegion())}</span>
        </a>
      )}
      {job.email && (
        <a className="fact" href={mailLink(job.email)}>
          <Icon name="mail" />
          <span>{job.email}</span>
        </a>
      )}
    </>
  );
}

/** Two taps to tell today's customer where you are, in the phone's own messages. */
export function TellCustomer({ job }: { job: JobView }) {
  const user = useStore($session, { ssr: () => null })?.user;
  if (!user || !canMessage(job, user.timeZone, new Date())) return null;
  const button = (kind: MessageKind) => (
    <a
      className="btn btn--secondary"
      href={messageLink(kind, job, user)}
      onClick={() => void noteMessage(job.id, kind)}
    >
      {messageLabels[kind]}
    </a>
  );
  return (
    <section className="card jd__tell" aria-labelledby="tell">
      <h2 id="tell">{`Tell ${firstNameOf(job)}`}</h2>
      <div className="tell">
        {button('on-my-way')}
        {button('running-late')}
      </div>
    </section>
  );
}

/** Notes in the history that a message was opened. The message opens anyway: a failure is only logged. */
async function noteMessage(jobId: string, kind: MessageKind): Promise<void> {
  try {
    const options = { body: { kind }, keepalive: true };
    storeJob((await request('POST', `${pathOf(jobId)}/messages`, options)).job);
  } catch (error) {
    console.error('An opened message was not noted', error);
  }
}

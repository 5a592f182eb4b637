import { useStore } from '@nanostores/react';
import { type MessageKind, messageLabels } from '#core/job/customer-messages.ts';
import { hidesContact, type JobStatus } from '#core/job/statuses.ts';
import type { JobView } from '#core/job/view.ts';
import { formatPhone } from '#core/values/contact.ts';
import { directionsTo } from '#site/jobs/directions.ts';
import { storeJob } from '#site/jobs/job-details-store.ts';
import { pathOf } from '#site/jobs/jobs-api.ts';
import { request } from '#site/lib/http/api.ts';
import { initials } from '#site/lib/initials.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { dayKind, formatTime } from '#site/lib/time/moments.ts';
import { Icon } from '#site/ui/Icon.tsx';

type Messaged = Pick<JobView, 'name' | 'title' | 'scheduledAt' | 'phone' | 'status'>;

/** Work that the customer is still waiting for. */
const stillToDo: readonly JobStatus[] = ['To quote', 'In progress', 'Quoted'];

/** Whether the customer of a job may want to know where the tradie is: it is today, and not done. */
export function canMessage({ phone, status, scheduledAt }: Messaged, timeZone: string, now: Date): boolean {
  if (!phone || !scheduledAt || !stillToDo.includes(status)) return false;
  return dayKind(scheduledAt, timeZone, now) === 'today';
}

/** The sender, by the name that customers know, and the IANA zone of their clocks. */
type Sender = Readonly<{ businessName?: string | undefined; timeZone: string }>;

/** The link that opens the phone's own messages with the text filled in. `?&` is what both iOS and Android read. */
export function messageLink(kind: MessageKind, job: Messaged, sender: Sender): string {
  return `sms:${job.phone}?&body=${encodeURIComponent(messageText(kind, job, sender))}`;
}

function messageText(kind: MessageKind, job: Messaged, { businessName, timeZone }: Sender): string {
  const { name, title, scheduledAt } = job;
  const from = businessName ? `, ${businessName} here` : '';
  const hello = `Hi ${name.trim().split(/\s+/)[0]}${from}`;
  if (kind === 'on-my-way') return `${hello}. I’m on my way for your job: ${title}.`;
  const time = scheduledAt ? ` ${formatTime(scheduledAt, timeZone)}` : '';
  return `${hello}. I’m running late for your${time} job: ${title}. Sorry, I’ll be there as soon as I can.`;
}

/** Who asked, and where; how to reach them only once the job is accepted. */
export function ContactDetails({ job }: { job: JobView }) {
  const words = job.name.trim().split(/\s+/);
  return (
    <section className="card detail__contact" aria-labelledby="contact">
      <h2 id="contact">Contact details</h2>
      <div className="contact">
        <p className="contact__who">
          <span className="avatar avatar--line" aria-hidden="true">
            {initials(words[0] ?? '', words.length > 1 ? (words.at(-1) ?? '') : '')}
          </span>
          <strong>{job.name}</strong>
        </p>
        <div className="info-rows">
          <Reach job={job} />
          <p className="info-row info-row--full">
            <Icon name="map-pin" />
            <span>{job.location.address}</span>
          </p>
        </div>
        <div className="contact__do only-md">
          <Actions job={job} size="btn--sm" />
        </div>
        <MessageButtons job={job} />
      </div>
      <div className={job.phone ? 'action-bar' : 'action-bar action-bar--1'}>
        <Actions job={job} size="btn--lg" />
      </div>
    </section>
  );
}

/** The call and the way there; in the bar under the thumb the call is on the right. */
function Actions({ job, size }: { job: JobView; size: 'btn--sm' | 'btn--lg' }) {
  const way = (
    <a className={`btn btn--secondary ${size}`} href={directionsTo(job.location)}>
      <Icon name="navigation" />
      Directions
    </a>
  );
  const call = job.phone && (
    <a className={`btn btn--primary ${size}`} href={`tel:${job.phone}`}>
      <Icon name="phone" />
      Call
    </a>
  );
  const [first, second] = size === 'btn--lg' ? [way, call] : [call, way];
  return (
    <>
      {first}
      {second}
    </>
  );
}

function Reach({ job }: { job: JobView }) {
  if (hidesContact(job.status)) {
    return (
      <p className="info-row info-row--locked">
        <Icon name="lock" />
        <span>Accept to see phone and email</span>
      </p>
    );
  }
  return (
    <>
      {job.phone && (
        <a className="info-row num" href={`tel:${job.phone}`}>
          <Icon name="phone" />
          <span>{formatPhone(job.phone)}</span>
        </a>
      )}
      {job.email && (
        <a className="info-row" href={`mailto:${job.email}`}>
          <Icon name="mail" />
          <span>{job.email}</span>
        </a>
      )}
    </>
  );
}

/** Two taps to tell today's customer where you are, in the phone's own messages. */
function MessageButtons({ job }: { job: JobView }) {
  const user = useStore($session, { ssr: () => null })?.user;
  if (!user || !canMessage(job, user.timeZone, new Date())) return null;
  const button = (kind: MessageKind) => (
    <a
      className="btn btn--secondary btn--sm"
      href={messageLink(kind, job, user)}
      onClick={() => void noteMessage(job.id, kind)}
    >
      <Icon name="send" />
      {messageLabels[kind]}
    </a>
  );
  return (
    <div className="contact__messages">
      {button('on-my-way')}
      {button('running-late')}
    </div>
  );
}

/** Notes in the history that a message was opened. The message opens anyway: a failure is only logged. */
async function noteMessage(jobId: string, kind: MessageKind): Promise<void> {
  try {
    const options = { body: { kind }, keepalive: true };
    storeJob((await request<{ job: JobView }>('POST', `${pathOf(jobId)}/messages`, options)).job);
  } catch (error) {
    console.error('An opened message was not noted', error);
  }
}

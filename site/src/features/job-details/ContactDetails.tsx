import { hidesContact } from '#core/job/statuses.ts';
import type { JobView } from '#core/job/view.ts';
import { formatPhone } from '#core/values/contact.ts';
import { directionsTo } from '#site/jobs/directions.ts';
import { initials } from '#site/lib/initials.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { MessageButtons } from './MessageButtons.tsx';

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

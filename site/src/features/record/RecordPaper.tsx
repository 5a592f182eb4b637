import { useState } from 'react';
import { photoStageLabels } from '#core/job/photos/photo-stages.ts';
import type { JobView } from '#core/job/view.ts';
import { businessNumberLabels } from '#core/values/business.ts';
import { jobReference } from '#core/values/job-form.ts';
import { formatPhone } from '#core/values/phone.ts';
import { consumerDetails, messageOf, workOrderDetails } from '#site/jobs/consumer-details.ts';
import { photosOf } from '#site/jobs/photos/photos-of.ts';
import type { Profile } from '#site/lib/profile.ts';
import { formatDateTime } from '#site/lib/time/moments.ts';
import { formatBusinessNumber } from '#site/ui/business-number/business-words.ts';
import { Icon } from '#site/ui/Icon.tsx';
import type { Change } from './changes.ts';
import type { RecordFile } from './record-file.ts';
import { exactMoment, inGroups, offsetWords, placeOf, recordWords } from './record-words.ts';

type Props = Readonly<{
  job: JobView;
  changes: readonly Change[];
  /** Whether later changes are left out. */
  isAsItStood: boolean;
  profile: Profile;
  /** The record, once it was made. */
  file: RecordFile | null;
}>;

/** A job on A4: black on white whatever the appearance. */
export function RecordPaper({ job, changes, isAsItStood, profile, file }: Props) {
  const { timeZone } = profile;
  const [openedAt] = useState(() => new Date().toISOString());
  const moment = formatDateTime(file?.madeAt ?? openedAt, timeZone, new Date(0));
  const last = changes.at(-1);
  return (
    <article className="paper">
      <header>
        <div>
          <h1>Job record</h1>
          <p className="as-typed">{job.title}</p>
          {isAsItStood && last && <p>{`As at ${exactMoment(last.at, timeZone)}`}</p>}
        </div>
        <div className="paper__ref">
          <Icon name="ute" />
          <p>
            <b>{jobReference(job.id)}</b>
            <br />
            <span>{`Printed ${moment}`}</span>
            <br />
            <span>{`by ${profile.firstName} ${profile.lastName}`}</span>
          </p>
        </div>
      </header>
      <div className="paper__2">
        <Business profile={profile} />
        <Customer job={job} profile={profile} />
      </div>
      <Asked job={job} profile={profile} />
      <Happened job={job} changes={changes} profile={profile} />
      <Files job={job} profile={profile} file={file} />
      <Fingerprint file={file} />
    </article>
  );
}

function Business({ profile: { bn, region, phone, email } }: Pick<Props, 'profile'>) {
  return (
    <section aria-labelledby="business">
      <h2 id="business">Business</h2>
      <p>
        <b>{bn.tradingName || bn.name}</b>
        {bn.bn && (
          <>
            <br />
            <span>{`${businessNumberLabels[region]} ${formatBusinessNumber(bn.bn)}`}</span>
          </>
        )}
        <br />
        <span>{[phone && formatPhone(phone, region), email].filter(Boolean).join(', ')}</span>
      </p>
    </section>
  );
}

function Customer({ job: { name, location, phone, email }, profile }: Pick<Props, 'job' | 'profile'>) {
  const contact = [phone && formatPhone(phone, profile.region), email].filter(Boolean).join(', ');
  return (
    <section aria-labelledby="customer">
      <h2 id="customer">Customer</h2>
      <p className="as-typed">
        <b>{name}</b>
        {location.address && (
          <>
            <br />
            <span>{location.address}</span>
          </>
        )}
        <br />
        <span>{contact || 'Contact withheld'}</span>
      </p>
    </section>
  );
}

/** What the customer wrote and answered; of a work order, what the product says. */
function Asked({ job, profile }: Pick<Props, 'job' | 'profile'>) {
  const message = messageOf(job);
  const answers = job.workOrderDetails ? workOrderDetails(job) : consumerDetails(job, profile.region);
  const details = [...(job.isUrgent ? [{ label: 'Urgent', text: 'Yes' }] : []), ...answers];
  if (!message && details.length === 0) return null;
  return (
    <section aria-labelledby="asked">
      <h2 id="asked">What was asked</h2>
      {message && <p className="as-typed">{`“${message}”`}</p>}
      {details.length > 0 && (
        <dl>
          {details.map(({ label, text }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd className="as-typed">{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

function Happened({ job, changes, profile }: Pick<Props, 'job' | 'changes' | 'profile'>) {
  const { timeZone, firstName, lastName } = profile;
  const offsets = new Set(changes.map(({ at }) => offsetWords(at, timeZone)));
  const zone = [placeOf(timeZone), ...(offsets.size === 1 ? offsets : [])].join(', ');
  const clock = { timeZone, now: new Date(0), createdAt: job.createdAt };
  return (
    <section aria-labelledby="happened">
      <h2 id="happened">What happened</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">No.</th>
            <th scope="col">{`When (${zone})`}</th>
            <th scope="col">Who</th>
            <th scope="col">What</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ revision, at, entries }, index) => (
            <tr key={revision}>
              <td>{index + 1}</td>
              <td>
                {offsets.size > 1
                  ? `${exactMoment(at, timeZone)} (${offsetWords(at, timeZone)})`
                  : exactMoment(at, timeZone)}
              </td>
              <td>{entries[0].who.kind === 'you' ? `${firstName} ${lastName}` : entries[0].who.name}</td>
              <td className="as-typed">{entries.map((entry) => recordWords(entry, clock)).join('. ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Pictures, and other files by name, each with the beginning of its SHA-256 where a record has it. */
function Files({ job, profile, file }: Pick<Props, 'job' | 'profile' | 'file'>) {
  const { timeZone, firstName, lastName } = profile;
  const { photos, documents } = photosOf(job);
  const shownHash = (id: string | undefined) => {
    const hash = file?.hashes.get(id ?? '');
    return hash && `${hash.slice(0, 12)}…`;
  };
  const hashOf = (url: string) => shownHash(url.split('?', 1)[0]?.split('/').at(-1));
  return (
    <>
      {photos.length > 0 && (
        <section aria-labelledby="photos">
          <h2 id="photos">Photos</h2>
          <div className="paper__ph">
            {photos.map(({ key, url, thumb, by, at, work }, index) => (
              <figure key={key}>
                <img src={thumb} alt={`${index + 1} of ${photos.length}`} />
                <figcaption>
                  <b>{`Photo ${index + 1}`}</b>
                  {work && <span>{`, ${photoStageLabels[work.stage].toLowerCase()}`}</span>}
                  <br />
                  <span>
                    {`${work ? `${firstName} ${lastName}` : by}, ${formatDateTime(at, timeZone, new Date(0))}`}
                  </span>
                  <br />
                  <span>{work ? shownHash(work.id) : hashOf(url)}</span>
                </figcaption>
              </figure>
            ))}
          </div>
        </section>
      )}
      {documents.length > 0 && (
        <section aria-labelledby="documents">
          <h2 id="documents">Documents</h2>
          <ul>
            {documents.map(({ url, name }) => (
              <li key={url} className="as-typed">
                {[name, hashOf(url)].filter(Boolean).join(', ')}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Fingerprint({ file }: Pick<Props, 'file'>) {
  if (!file) {
    return (
      <section aria-labelledby="fingerprint">
        <h2 id="fingerprint">Fingerprint of this record</h2>
        <p>
          It is made when you print this page or save its file. The job’s history notes each record that is
          made.
        </p>
      </section>
    );
  }
  const { origin, size, root, key } = file.log;
  return (
    <section aria-labelledby="fingerprint" className="paper__proof">
      <h2 id="fingerprint">Fingerprint of this record</h2>
      <p className="paper__fp">{inGroups(file.fingerprint)}</p>
      <h3>How to check this</h3>
      <ol>
        <li>
          <span>{`Go to ${location.host}/check and choose the file `}</span>
          <b>{file.name}</b>
          <span>{' that belongs to this paper.'}</span>
        </li>
        <li>
          <span>{'Or run '}</span>
          <b>sha256sum</b>
          <span>
            {' on that file. Same fingerprint: nothing in this record has changed since it was printed.'}
          </span>
        </li>
        <li>
          Add there what you have from elsewhere. A receipt or a mailed checkpoint backs up what came before
          it; the whole key, from Ute and not from this paper, backs up all.
        </li>
      </ol>
      <dl className="paper__log">
        <div>
          <dt>Log</dt>
          <dd>{origin}</dd>
        </div>
        <div>
          <dt>Size, root</dt>
          <dd>{`${size} · ${root}`}</dd>
        </div>
        <div>
          <dt>Key</dt>
          <dd>{key}</dd>
        </div>
      </dl>
    </section>
  );
}

import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { Content, Elements } from 'react/jsx-runtime';
import type { RecordAudience } from '#core/values/stored-details.ts';
import { saveFile } from '#site/lib/files.ts';
import { useQuery } from '#site/lib/http/query.ts';
import type { Profile } from '#site/lib/profile.ts';
import { profileQuery } from '#site/lib/profile-settings.ts';
import { FaultBoundary } from '#site/ui/FaultBoundary.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import { toast } from '#site/ui/toast/toast.ts';
import { $address, type Address, type JobAndChanges, jobAndChanges } from './changes.ts';
import { RecordPaper } from './RecordPaper.tsx';
import { makeRecord, type RecordFile } from './record-file.ts';

/** The record of the job that the address names, to print and to hand over, with its waiting, missing and failed states. */
export function RecordPage() {
  const address = useStore($address);
  return <FaultBoundary>{address ? <Loaded address={address} /> : <Waiting />}</FaultBoundary>;
}

function Loaded({ address }: { address: Address }) {
  const query = jobAndChanges(address.jobId, address.at);
  const { data, status, error } = useQuery(query);
  const profile = useQuery(profileQuery);
  if (data && profile.data) return <Paper shown={data} at={address.at} profile={profile.data} />;
  if (data === null) {
    return (
      <Notice jobId={address.jobId} title="There is no record">
        <p>The job may belong to another business, or it never stood as this address says.</p>
      </Notice>
    );
  }
  const failed = error ?? profile.error;
  if (status !== 'error' && profile.status !== 'error') return <Waiting />;
  const again = () => {
    void query.refresh();
    void profileQuery.refresh();
  };
  return (
    <Notice jobId={address.jobId} title="This record could not be loaded">
      <p>{failed?.message ?? ''}</p>
      <button type="button" className="btn btn--secondary" onClick={again}>
        Try again
      </button>
    </Notice>
  );
}

function Back({ jobId, children }: { jobId: string; children: Content }) {
  return (
    <a className="back" href={`/jobs/details/${encodeURIComponent(jobId)}`}>
      <Icon name="arrow-left" />
      <span>{children}</span>
    </a>
  );
}

function Notice({ jobId, title, children }: { jobId: string; title: string; children: Elements }) {
  return (
    <>
      <div className="paper__bar">
        <Back jobId={jobId}>The job</Back>
      </div>
      <div className="empty" role="status">
        <h1>{title}</h1>
        {children}
      </div>
    </>
  );
}

function Waiting() {
  return (
    <>
      <div className="paper__bar" />
      <div className="paper" role="status">
        <h1>Job record</h1>
        <p>Loading…</p>
      </div>
    </>
  );
}

const audiences: Readonly<Record<RecordAudience, string>> = {
  customer: 'For the customer',
  owner: 'For you, with notes',
};

type PaperProps = Readonly<{ shown: JobAndChanges; at: number | null; profile: Profile }>;

/** A record is made once, when it is first printed or saved: each one is an entry of the job's history. */
function Paper({ shown: { job, changes }, at, profile }: PaperProps) {
  const [audience, setAudience] = useState<RecordAudience>('customer');
  const [file, setFile] = useState<RecordFile | null>(null);
  const [wanted, setWanted] = useState<'print' | 'save' | null>(null);
  const isMaking = wanted !== null && file === null;

  useEffect(() => {
    if (wanted === null || file === null) return;
    setWanted(null);
    if (wanted === 'print') print();
    else saveFile({ ...file, type: 'application/vnd.ute.job-record+json' });
  }, [wanted, file]);

  const use = async (how: 'print' | 'save') => {
    // The buttons stay enabled: a disabled one loses the focus.
    if (isMaking) return;
    setWanted(how);
    if (file) return;
    try {
      setFile(await makeRecord(job.id, { audience, upTo: job.revision }));
    } catch (error) {
      setWanted(null);
      toast.error((error as Error).message, { id: 'record' });
    }
  };

  return (
    <>
      <div className="paper__bar">
        <div>
          <Back jobId={job.id}>{job.title}</Back>
          <fieldset className="paper__for" disabled={isMaking}>
            <legend className="sr">Whom the file is for</legend>
            {Object.entries(audiences).map(([one, label]) => (
              <label className="chip" key={one}>
                <input
                  type="radio"
                  name="audience"
                  checked={audience === one}
                  onChange={() => {
                    setAudience(one as RecordAudience);
                    setFile(null);
                  }}
                />
                <span>{label}</span>
              </label>
            ))}
          </fieldset>
        </div>
        <div className="paper__do">
          <a
            className="btn btn--secondary"
            href={`/jobs/details/${encodeURIComponent(job.id)}/as-at?at=${job.revision}`}
          >
            <Icon name="history" />
            <span>As it stood</span>
          </a>
          <button
            type="button"
            className="btn btn--secondary"
            aria-disabled={isMaking}
            aria-busy={isMaking && wanted === 'save'}
            onClick={() => void use('save')}
          >
            <Icon name="download" />
            <span>Save the file</span>
          </button>
          <button
            type="button"
            className="btn btn--primary"
            aria-disabled={isMaking}
            aria-busy={isMaking && wanted === 'print'}
            onClick={() => void use('print')}
          >
            <Icon name="printer" />
            <span>Print</span>
          </button>
        </div>
      </div>
      <RecordPaper job={job} changes={changes} isAsItStood={at !== null} profile={profile} file={file} />
    </>
  );
}

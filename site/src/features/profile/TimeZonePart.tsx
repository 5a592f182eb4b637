import { useEffect, useId, useState } from 'react';
import { instantWords } from '#core/values/time.ts';
import { timeZonesOf } from '#core/values/time-zones.ts';
import { aheadPath } from '#site/jobs/schedule-store.ts';
import { ApiError, request, unknownFailure } from '#site/lib/http/api.ts';
import { refreshQueries } from '#site/lib/http/query.ts';
import { type Profile, sessionUser } from '#site/lib/profile.ts';
import { profileQuery } from '#site/lib/profile-settings.ts';
import { storeUser } from '#site/lib/session/session-store.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { toast } from '#site/ui/toast/toast.ts';

/** How many jobs show what a change does. */
const shownJobs = 3;

type PartProps = Readonly<{
  profile: Pick<Profile, 'region' | 'timeZone'>;
  /** The zone of the base, where it is another than the business has. */
  zoneThere: string | null;
}>;

/** On whose clocks days and times are shown. Another zone shows its jobs before and after, and asks. */
export function TimeZonePart({ profile, zoneThere }: PartProps) {
  const id = useId();
  const { region, timeZone } = profile;
  const [wanted, setWanted] = useState(timeZone);
  return (
    <section className="settings__part" aria-label="Time zone">
      <div className="field">
        <label className="field__label" htmlFor={id}>
          Time zone
        </label>
        <select
          className="input"
          id={id}
          value={wanted}
          aria-describedby={`${id}-note`}
          onChange={(event) => setWanted(event.target.value)}
        >
          {zonesWith(region, timeZone).map(([zone, name]) => (
            <option key={zone} value={zone}>
              {name}
            </option>
          ))}
        </select>
        <p className="field__hint" id={`${id}-note`}>
          Days and times here, in messages and on papers are on these clocks.
        </p>
        {zoneThere !== null && wanted === timeZone && (
          <button
            className="btn btn--quiet btn--sm"
            type="button"
            onClick={() => setWanted(zoneThere)}
          >{`Your base is on the time of ${zoneName(region, zoneThere)}`}</button>
        )}
      </div>
      {wanted !== timeZone && (
        <ChangeOfZone
          key={wanted}
          from={{ zone: timeZone, name: zoneName(region, timeZone) }}
          to={{ zone: wanted, name: zoneName(region, wanted) }}
          onKeep={() => setWanted(timeZone)}
        />
      )}
    </section>
  );
}

type Zone = Readonly<{ zone: string; name: string }>;
type Props = Readonly<{ from: Zone; to: Zone; onKeep(): void }>;

/** What the change does to jobs that have a time, and the question. */
function ChangeOfZone({ from, to, onKeep }: Props) {
  const { jobs, hasFailed } = useJobsWithTime();
  const [isSaving, setSaving] = useState(false);

  async function change(): Promise<void> {
    if (isSaving) return;
    setSaving(true);
    try {
      await saveTimeZone(to.zone);
      toast.success(`Days and times are those of ${to.name}`, { title: 'Success', id: 'time-zone' });
    } catch (error) {
      setSaving(false);
      const message = error instanceof ApiError ? error.message : unknownFailure;
      toast.error(message, { title: 'Error', id: 'time-zone' });
    }
  }

  return (
    <div className="alert alert--warning zone" role="group" aria-label="Change the time zone?">
      <Icon name="triangle-alert" />
      <div>
        <strong>{`Change to the time of ${to.name}?`}</strong>
        <p>No job is moved: each stays at its moment, and reads differently.</p>
        <div aria-live="polite">
          {jobs && jobs.length > 0 && (
            <dl className="zone__jobs">
              {jobs.map(({ id, title, scheduledAt }) => (
                <div key={id}>
                  <dt>{title}</dt>
                  <dd>{`As it stands: ${instantWords(scheduledAt, from.zone)}`}</dd>
                  <dd>{`From then on: ${instantWords(scheduledAt, to.zone)}`}</dd>
                </div>
              ))}
            </dl>
          )}
          {jobs?.length === 0 && <p>No job has a time yet.</p>}
          {hasFailed && <p>Your jobs could not be loaded, so none is shown here.</p>}
          {!jobs && !hasFailed && <p>Looking for jobs with a time…</p>}
        </div>
        <div className="zone__do">
          <button
            className="btn btn--primary"
            type="button"
            aria-busy={isSaving}
            disabled={isSaving || (!jobs && !hasFailed)}
            onClick={() => void change()}
          >
            Change time zone
          </button>
          <button className="btn btn--secondary" type="button" disabled={isSaving} onClick={onKeep}>
            Keep as it is
          </button>
        </div>
      </div>
    </div>
  );
}

type TimedJob = Readonly<{ id: string; title: string; scheduledAt: string }>;

/** The next jobs that have a time, those that are overdue where there are too few. */
function useJobsWithTime() {
  const [jobs, setJobs] = useState<readonly TimedJob[] | null>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    const loading = new AbortController();
    request('GET', aheadPath, { signal: loading.signal }).then(
      (answer) => setJobs(jobsWithTime([...answer.jobs, ...answer.overdue.jobs])),
      () => !loading.signal.aborted && setFailed(true),
    );
    return () => loading.abort();
  }, []);
  return { jobs, hasFailed };
}

type Timed = Readonly<{ id: string; title: string; scheduledAt: string | null }>;

/** The first three jobs that have a time. */
export function jobsWithTime(jobs: readonly Timed[]): readonly TimedJob[] {
  return jobs
    .flatMap(({ id, title, scheduledAt }) => (scheduledAt === null ? [] : [{ id, title, scheduledAt }]))
    .slice(0, shownJobs);
}

async function saveTimeZone(timeZone: string): Promise<void> {
  const { user } = await request('PUT', '/settings/time-zone', { body: { timeZone } });
  storeUser(sessionUser(user));
  profileQuery.update(() => user);
  refreshQueries((key) => key !== 'profile');
}

type OfRegion = Profile['region'];

/** The zones that can be chosen; one that the business has and that is none of them stands first. */
export function zonesWith(region: OfRegion, present: string): (readonly [zone: string, name: string])[] {
  const offered = Object.entries(timeZonesOf[region]);
  return present in timeZonesOf[region] ? offered : [[present, zoneName(region, present)], ...offered];
}

function zoneName(region: OfRegion, zone: string): string {
  return timeZonesOf[region][zone] ?? (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
}

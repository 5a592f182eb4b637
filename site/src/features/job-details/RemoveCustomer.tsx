import '#site/ui/choice-rows.css';
import './remove-customer.css';
import { useStore } from '@nanostores/react';
import { useEffect, useId, useRef, useState } from 'react';
import type { JobView } from '#core/job/view.ts';
import { graceDays, jobsBeside } from '#core/values/stored-details.ts';
import { pathOf } from '#site/jobs/jobs-api.ts';
import { withBotCheck } from '#site/lib/bot-check/with-bot-check.ts';
import { type AnswerOf, ApiError, type BodyOf, request } from '#site/lib/http/api.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { formatDay } from '#site/lib/time/moments.ts';
import { Sheet } from '#site/ui/Sheet.tsx';
import { changeAndSay } from './change-job-store.ts';

const day = 86_400_000;

type Props = Readonly<{
  job: JobView;
  /** The customer planned the removal, and the business cannot take it back. */
  isForCustomerToKeep: boolean;
}>;

/** The way to remove a customer's details, and while that is to come, the way to keep them. */
export function RemoveCustomer({ job, isForCustomerToKeep }: Props) {
  const [isOpen, setOpen] = useState(false);
  if (job.erasedAt) return null;
  if (job.erasureDueAt) {
    return isForCustomerToKeep || job.removalAskedAt ? null : (
      <button className="btn btn--secondary" type="button" onClick={() => void keepCustomer(job.id)}>
        Keep the details
      </button>
    );
  }
  return (
    <>
      <button className="remove-customer" type="button" onClick={() => setOpen(true)}>
        Remove customer’s details…
      </button>
      {isOpen && <RemovalSheet job={job} onClose={() => setOpen(false)} />}
    </>
  );
}

type Found = AnswerOf<'GET', `/jobs/${string}/erasure`>;
type OtherJobs = Found['others'];

export function RemovalSheet({ job, onClose }: Readonly<{ job: JobView; onClose(): void }>) {
  const dialog = useRef<HTMLDialogElement>(null);
  const timeZone = useStore($session, { ssr: () => null })?.user?.timeZone;
  const [found, setFound] = useState<Found | 'failed' | null>(null);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const look = () => {
    setFound(null);
    void fetchFound(job.id).then(setFound, () => setFound('failed'));
  };
  // An effect, because the other jobs are asked for once the sheet is there.
  useEffect(() => {
    void fetchFound(job.id).then(setFound, () => setFound('failed'));
  }, [job.id]);
  const isFound = found !== null && found !== 'failed';
  const others = isFound ? found.others : [];
  const asksPassword = chosen.length > jobsBeside.freely;
  async function remove(): Promise<void> {
    setSending(true);
    const outcome = await removeCustomer(job.id, {
      others: chosen,
      ...(asksPassword && { currentPassword: password }),
    });
    setSending(false);
    setProblem(outcome.problem);
    if (outcome.isPlanned) dialog.current?.close();
  }
  const due = timeZone && formatDay(new Date(Date.now() + graceDays.jobs * day), timeZone);
  return (
    <Sheet title="Remove customer’s details" dialog={dialog} onClose={onClose}>
      <div className="panel__body removal">
        <p>
          <span>{'On '}</span>
          <b>{due}</b>
          <span>
            {
              ' these are removed for good: name, phone, email and address, what the customer wrote and sent, your notes, and all photos of this job.'
            }
          </span>
        </p>
        <p>Status and dates stay, so that your lists and counts stay right.</p>
        <p>Until then phone and email are withheld, and you can keep the details after all.</p>
        <p>
          A phone that is offline keeps its copy for up to seven days. A copy of the database from before,
          with the key to it, still holds the details.
        </p>
        {found === null && <p role="status">Looking for other jobs of this customer…</p>}
        {found === 'failed' && (
          <div className="alert alert--warning" role="alert">
            <span>Other jobs of this customer could not be loaded.</span>
            <button className="btn btn--secondary btn--sm" type="button" onClick={look}>
              Try again
            </button>
          </div>
        )}
        {others.length > 0 && (
          <Others
            others={others}
            chosen={chosen}
            timeZone={timeZone}
            onTick={(id, isTicked) =>
              setChosen(isTicked ? [...chosen, id] : chosen.filter((one) => one !== id))
            }
          />
        )}
        {isFound && (
          <WentOut
            items={found.outOfReach.filter(
              ({ jobId }) => jobId === null || jobId === job.id || chosen.includes(jobId),
            )}
            timeZone={timeZone}
          />
        )}
        {asksPassword && (
          <Password
            jobs={chosen.length + 1}
            password={password}
            problem={problem}
            onType={(text) => {
              setPassword(text);
              setProblem(null);
            }}
            onEnter={() => {
              if (!isSending && password !== '') void remove();
            }}
          />
        )}
      </div>
      <div className="panel__foot">
        <button
          className="btn btn--danger-solid btn--lg"
          type="button"
          disabled={isSending || !isFound || (asksPassword && password === '')}
          onClick={() => void remove()}
        >
          {`Remove in ${graceDays.jobs} days`}
        </button>
      </div>
    </Sheet>
  );
}

type PasswordProps = Readonly<{
  jobs: number;
  password: string;
  problem: string | null;
  onType(text: string): void;
  onEnter(): void;
}>;

/** Asked for more than ten jobs at once. */
function Password({ jobs, password, problem, onType, onEnter }: PasswordProps) {
  const id = useId();
  return (
    <form
      className="field"
      onSubmit={(event) => {
        event.preventDefault();
        onEnter();
      }}
    >
      <label className="field__label" htmlFor={id}>
        Current Password
      </label>
      <input
        className="input"
        id={id}
        type="password"
        autoComplete="current-password"
        autoCapitalize="none"
        spellCheck={false}
        value={password}
        onChange={({ target }) => onType(target.value)}
        aria-invalid={problem !== null}
        aria-describedby={`${id}-why`}
      />
      <p className={problem === null ? 'muted' : 'field__error'} id={`${id}-why`}>
        {problem ?? `Because these are ${jobs} jobs at once.`}
      </p>
    </form>
  );
}

type OthersProps = Readonly<{
  others: OtherJobs;
  /** Ids of those whose customer goes along; of the others everything stays as it is. */
  chosen: readonly string[];
  timeZone: string | undefined;
  onTick(id: string, isTicked: boolean): void;
}>;

function Others({ others, chosen, timeZone, onTick }: OthersProps) {
  return (
    <fieldset className="removal__others">
      <legend className="field__label">Remove from these jobs as well?</legend>
      <div className="rows">
        {others.map(({ id, name, title, status, createdAt }) => (
          <label className="row" key={id}>
            <span className="row__text">
              <span>{title}</span>
              <span className="row__note">
                {[name, status, timeZone && formatDay(createdAt, timeZone)].filter(Boolean).join(', ')}
              </span>
            </span>
            <input
              type="checkbox"
              checked={chosen.includes(id)}
              onChange={({ target }) => onTick(id, target.checked)}
            />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

type WentOutProps = Readonly<{ items: Found['outOfReach']; timeZone: string | undefined }>;

/** What stays with who got it. */
function WentOut({ items, timeZone }: WentOutProps) {
  if (items.length === 0) return <p>Nothing about this customer was sent or handed out.</p>;
  return (
    <section className="removal__out" aria-labelledby="went-out">
      <h3 id="went-out">What cannot be called back</h3>
      <ul>
        {items.map(({ text, at }, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two of one kind can have gone out at once
          <li key={n}>{timeZone ? `${text}, ${formatDay(at, timeZone)}` : text}</li>
        ))}
      </ul>
    </section>
  );
}

function fetchFound(jobId: string): Promise<Found> {
  return request('GET', `${pathOf(jobId)}/erasure`);
}

type Removal = BodyOf<'POST', `/jobs/${string}/erasure`>;

/** Whether the removal is planned, or what is wrong with the password; any other failure is shown. */
async function removeCustomer(
  jobId: string,
  body: Removal,
): Promise<Readonly<{ isPlanned: boolean; problem: string | null }>> {
  let problem: string | null = null;
  const send = (headers: Record<string, string>) =>
    request('POST', `${pathOf(jobId)}/erasure`, { body, headers });
  const isPlanned = await changeAndSay(jobId, `The details go in ${graceDays.jobs} days`, () =>
    (body.currentPassword === undefined ? send({}) : withBotCheck(send)).catch((error: unknown) => {
      problem = (error instanceof ApiError && error.fields['currentPassword']) || null;
      throw error;
    }),
  );
  return { isPlanned, problem };
}

function keepCustomer(jobId: string): Promise<boolean> {
  return changeAndSay(jobId, 'The details stay', () => request('DELETE', `${pathOf(jobId)}/erasure`));
}

import { useStore } from '@nanostores/react';
import { type ComponentProps, useEffect, useId, useRef } from 'react';
import { hidesContact, isUnfinished } from '#core/job/status/statuses.ts';
import type { JobView } from '#core/job/view.ts';
import { useBusyDays } from '#site/jobs/busy-days.ts';
import { useWaiting } from '#site/jobs/changes/changes-store.ts';
import { wishedTimeOf } from '#site/jobs/consumer-details.ts';
import { dayKind, formatDateTime, formatTime } from '#site/lib/time/moments.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { ScheduleSheet } from '#site/ui/schedule/ScheduleSheet.tsx';
import { tomorrowFrom } from '#site/ui/schedule/schedule-choice.ts';
import { $changing, changeOnPanel } from './change-job-store.ts';
import type { OpenChoice } from './JobControls.tsx';
import { StatusField } from './StatusField.tsx';
import './work-panel.css';
import { jobNotesLength } from '#core/values/job-form.ts';
import { takeAtMost } from '#site/ui/form/text-limit.ts';
import { $notesUndo, beginEdit, type NotesState, notesEditor } from './notes-editor.ts';

type Props = Readonly<{
  job: JobView;
  timeZone: string;
  /** What is open of the panel, by its own row or by the next step. */
  opened: 'schedule' | 'status' | null;
  onOpen: OpenChoice;
  onClose(): void;
}>;

/** What the tradie changes as the work goes on: status, schedule and notes. */
export function WorkPanel({ job, timeZone, opened, onOpen, onClose }: Props) {
  return (
    <section className="card card--rows jd__work" aria-label="Work on this job">
      <StatusField
        job={job}
        isOpen={opened === 'status'}
        onOpenChange={(isOpen) => (isOpen ? onOpen('status') : onClose())}
      />
      <ScheduleRow
        job={job}
        timeZone={timeZone}
        isOpen={opened === 'schedule'}
        onOpen={() => onOpen('schedule')}
        onClose={onClose}
      />
      <NotesField key={job.id} job={job} timeZone={timeZone} />
    </section>
  );
}

type ScheduleProps = Readonly<{
  job: JobView;
  timeZone: string;
  isOpen: boolean;
  onOpen(): void;
  onClose(): void;
}>;

/** When the job is, to be chosen once it is accepted and for as long as it has not failed. */
function ScheduleRow({ job, timeZone, isOpen, onOpen, onClose }: ScheduleProps) {
  const waiting = useWaiting(job.id)?.job;
  const wanted = { ...waiting, ...useStore($changing, { keys: [job.id], ssr: 'initial' })[job.id] };
  const unavailable = whyUnavailable({ ...job, ...waiting });
  const shown = wanted.scheduledAt === undefined ? job.scheduledAt : wanted.scheduledAt;
  const now = new Date();
  const words = shown ? formatDateTime(shown, timeZone, now) : 'Not scheduled yet';
  const isToday = shown !== null && dayKind(shown, timeZone, now) === 'today';
  const tomorrow = shown && isUnfinished(job.status) ? tomorrowFrom(shown, { timeZone, now }) : null;
  const row = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={row}
        className="setrow"
        type="button"
        aria-haspopup="dialog"
        disabled={unavailable !== null}
        onClick={onOpen}
      >
        <span className={isToday ? 'dot-icon dot-icon--today' : 'dot-icon'}>
          <Icon name="calendar" />
        </span>
        <span className="setrow__t">
          <small>{waiting && 'scheduledAt' in waiting ? `Schedule${waitingToSend} ` : 'Schedule '}</small>
          <b className="num">{unavailable ?? words}</b>
        </span>
        {unavailable === null && <Icon name="chevron-right" />}
      </button>
      {tomorrow && unavailable === null && (
        <button
          className="btn btn--secondary btn--sm jd__tomorrow"
          type="button"
          onClick={() => {
            // The button goes with the change.
            row.current?.focus();
            void changeOnPanel(job.id, { scheduledAt: tomorrow.at });
          }}
        >
          {tomorrow.label}
        </button>
      )}
      {isOpen && unavailable === null && (
        <JobScheduleSheet
          jobId={job.id}
          title="Schedule"
          scheduledAt={shown}
          isFinished={!isUnfinished(job.status)}
          wishedTime={wishedTimeOf(job)}
          timeZone={timeZone}
          onDone={(scheduledAt) => {
            if (scheduledAt !== shown) void changeOnPanel(job.id, { scheduledAt });
          }}
          onClose={onClose}
        />
      )}
    </>
  );
}

/** The picker with what else is on the schedule, which is asked for once it is open. */
function JobScheduleSheet({
  jobId,
  ...rest
}: Omit<ComponentProps<typeof ScheduleSheet>, 'busy'> & { jobId: string }) {
  return <ScheduleSheet {...rest} busy={useBusyDays(jobId)} />;
}

/** Beside the name of a part whose change waits for a signal. */
export const waitingToSend = ', waiting to send';

function whyUnavailable({ status }: Pick<JobView, 'status'>): string | null {
  if (status === 'Unsuccessful') return 'Not available for unsuccessful jobs';
  return hidesContact(status) ? 'Take on the job to schedule it' : null;
}

/** The tradie's own notes, saved as they pause or leave the field. */
function NotesField({ job, timeZone }: { job: JobView; timeZone: string }) {
  const id = useId();
  const editor = notesEditor(job);
  const notes = useStore(editor.$notes);
  const undo = useStore($notesUndo, { keys: [job.id], ssr: 'initial' })[job.id];
  const queued = useWaiting(job.id)?.notes ?? null;
  useEffect(() => editor.meet(job), [editor, job]);
  useEffect(() => editor.showQueued(queued), [editor, queued]);
  const isQuiet = notes.phase === 'typing' || notes.phase === 'saving';
  return (
    <div className="field jd__notes">
      <label className="field__label" htmlFor={id}>
        Notes
      </label>
      <textarea
        className="textarea"
        id={id}
        rows={5}
        value={notes.text}
        aria-describedby={`${id}-saved`}
        onChange={takeAtMost(jobNotesLength, editor.type)}
        onFocus={() => beginEdit(job.id)}
        onBlur={() => void editor.save()}
      />
      <div className="on-paper" data-text={notes.text} />
      <div className="notes-saved">
        <p className="field__hint saved" id={`${id}-saved`} aria-live={isQuiet ? 'off' : 'polite'}>
          {notes.phase === 'saved' && notes.savedAt !== null && <Icon name="check" className="icon--sm" />}
          <span>{savedInWords(notes, timeZone)}</span>
        </p>
        {undo && notes.phase === 'saved' && (
          <button type="button" className="notes-saved__undo" onClick={() => void undo()}>
            Undo
          </button>
        )}
      </div>
      {notes.phase === 'conflict' && (
        <div className="alert alert--warning" role="alert">
          <Icon name="triangle-alert" />
          <div className="notes-conflict">
            <strong>These notes were changed elsewhere while you typed</strong>
            <blockquote className="as-typed">{notes.theirs || 'They are empty now.'}</blockquote>
            <div className="notes-conflict__do">
              <button
                type="button"
                className="btn btn--primary btn--sm"
                onClick={() => void editor.saveMine()}
              >
                Save mine instead
              </button>
              <button type="button" className="btn btn--secondary btn--sm" onClick={editor.takeTheirs}>
                Use these
              </button>
            </div>
          </div>
        </div>
      )}
    </div>
  );
}

function savedInWords({ phase, savedAt }: NotesState, timeZone: string): string {
  switch (phase) {
    case 'saved':
      return savedAt ? `Saved ${formatTime(new Date(savedAt), timeZone)}` : '';
    case 'typing':
    case 'conflict':
      return 'Not saved yet';
    case 'saving':
      return 'Saving…';
    case 'queued':
      return 'Waiting to send. They go by themselves when the signal is back.';
    case 'waiting':
      return 'Not saved. Kept in this tab and sent when you’re back online.';
    case 'limited':
      return 'Not saved yet. Kept in this tab and sent again by itself in a while.';
    case 'refused':
      return 'Not saved';
    default:
      return phase satisfies never;
  }
}

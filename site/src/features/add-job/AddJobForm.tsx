import { useStore } from '@nanostores/react';
import { useId, useRef, useState } from 'react';
import { jobNotesLength, jobRequestLengths } from '#core/values/job-form.ts';
import { AddressField } from '#site/ui/address/AddressField.tsx';
import { onSubmitOf, useAppForm } from '#site/ui/form/form.ts';
import { shownProblem } from '#site/ui/form/form-context.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { createJob } from './create-job.ts';
import {
  addressProblem,
  filledIn,
  isComplete,
  type JobForm,
  readJobDraft,
  type Schedule,
  saveJobDraft,
  scheduleProblem,
  stillNeeded,
  stillOpen,
  textProblem,
} from './job-form.ts';
import { $jobHints, announceJob, hintLines, lookForHints } from './job-hints-store.ts';
import { ScheduleButtonField, ScheduleCalendarField } from './ScheduleField.tsx';

type Props = Readonly<{
  timeZone: string;
  /** In a column or a sheet: one field below the other, and the picker behind a button on a laptop too. */
  isNarrow?: boolean;
  /** Where it is said that the job is made. */
  announces: 'here' | 'next page';
  onCreated(jobId: string): void;
}>;

/** The form to add a job by hand. It opens with what was typed before, and saves every keystroke. */
export function AddJobForm({ timeZone, isNarrow = false, announces, onCreated }: Props) {
  const [failure, setFailure] = useState<string | null>(null);
  const isCreated = useRef(false);
  const [opened] = useState(() => openForm(timeZone));
  const form = useAppForm({
    defaultValues: opened,
    canSubmitWhenInvalid: true,
    listeners: {
      onChange: ({ formApi }) => {
        // Where an address is may be answered after the job is made: that is no new draft.
        if (isCreated.current) return;
        setFailure(null);
        saveJobDraft(formApi.state.values);
        lookForHints(formApi.state.values, timeZone);
      },
    },
    onSubmit: async ({ value, formApi }) => {
      setFailure(null);
      const creation = await createJob(value, timeZone);
      isCreated.current = 'job' in creation;
      if ('job' in creation) {
        announceJob(creation.hints, timeZone, announces);
        return onCreated(creation.job.id);
      }
      const { scheduledAt: schedule, ...fields } = creation.fields;
      setFailure(creation.message);
      formApi.setErrorMap({ onSubmit: { form: undefined, fields: { ...fields, schedule } } });
    },
  });
  // Of the two fields that show the schedule the form asks the one that was drawn last: both have the rule.
  const schedule = {
    onSubmit: ({ value }: { value: Schedule }) => scheduleProblem(value, { timeZone, now: new Date() }),
  };

  return (
    <form
      className={isNarrow ? 'addjob addjob--narrow' : 'addjob'}
      aria-label="Add new job"
      noValidate
      onSubmit={onSubmitOf(() => form.handleSubmit())}
    >
      <div className="card addjob__main">
        <h2 className="addjob__legend addjob__legend--parts">Customer</h2>
        <div className="addjob__grid">
          <form.AppField name="name" validators={{ onChange: textProblem('name') }}>
            {(field) => (
              <field.TextField label="Full name" autoComplete="off" maxLength={jobRequestLengths.name} />
            )}
          </form.AppField>
          <form.AppField name="email" validators={{ onChange: textProblem('email') }}>
            {(field) => (
              <field.TextField
                label="Email address"
                type="email"
                inputMode="email"
                autoComplete="off"
                maxLength={jobRequestLengths.email}
              />
            )}
          </form.AppField>
          <form.AppField name="phone" validators={{ onChange: textProblem('phone') }}>
            {(field) => <field.PhoneField label="Phone number" autoComplete="off" />}
          </form.AppField>
          <form.AppField name="address" validators={{ onChange: ({ value }) => addressProblem(value) }}>
            {({ state }) => (
              <AddressField
                label="Job address"
                maxLength={jobRequestLengths.address}
                problem={shownProblem(state.meta, state.value.text.trim() === '')}
              />
            )}
          </form.AppField>
        </div>
        <h2 className="addjob__legend addjob__legend--parts">Job</h2>
        <form.AppField name="title" validators={{ onChange: textProblem('title') }}>
          {(field) => (
            <field.TextField label="Job title" autoComplete="off" maxLength={jobRequestLengths.title} />
          )}
        </form.AppField>
        <form.AppField name="schedule" validators={schedule}>
          {({ state }) => (
            <div className={isNarrow ? undefined : 'only-sm'}>
              <ScheduleButtonField timeZone={timeZone} problem={shownProblem(state.meta, true)} />
            </div>
          )}
        </form.AppField>
        <form.AppField name="notes" validators={{ onChange: textProblem('notes') }}>
          {(field) => (
            <field.TextAreaField
              label="Job notes"
              rows={5}
              maxLength={jobNotesLength}
              placeholder="Access, parts, who to ask for"
            />
          )}
        </form.AppField>
        <JobHintsNote timeZone={timeZone} />
      </div>
      {!isNarrow && (
        <form.AppField name="schedule" validators={schedule}>
          {({ state }) => (
            <div className="addjob__when only-md card">
              <ScheduleCalendarField timeZone={timeZone} problem={shownProblem(state.meta, true)} />
            </div>
          )}
        </form.AppField>
      )}
      <form.Subscribe selector={({ values, isSubmitting }) => ({ values, isSubmitting })}>
        {(state) => <AddJobFoot {...state} failure={failure} />}
      </form.Subscribe>
    </form>
  );
}

/** The draft of this tab and what a link filled in, less what has gone by; what it has in common with other jobs is looked up at once. */
function openForm(timeZone: string) {
  const draft = filledIn(readJobDraft(), location.hash);
  // What was filled in is the form's now: a reload must not bring back what the tradie took out.
  const isFilled = location.hash !== '';
  if (isFilled) history.replaceState(history.state, '', location.pathname + location.search);
  const values = { ...draft, schedule: stillOpen(draft.schedule, { timeZone, now: new Date() }) };
  if (isFilled) saveJobDraft(values);
  lookForHints(values, timeZone);
  return values;
}

/** What other jobs have in common with this one. Worth a look, never in the way. */
function JobHintsNote({ timeZone }: Readonly<{ timeZone: string }>) {
  const lines = hintLines(useStore($jobHints), timeZone, new Date());
  return (
    <div role="status" className="addjob__hints">
      {lines.length > 0 && (
        <div className="alert alert--warning">
          <Icon name="triangle-alert" />
          <div>
            <strong>Worth a look before you save</strong>
            <ul>
              {lines.map(({ id, before, title, behind }) => (
                <li key={`${before} ${id}`}>
                  <span>{`${before} `}</span>
                  <a href={`/jobs/details/${id}`}>{title}</a>
                  <span>{behind}</span>
                </li>
              ))}
            </ul>
          </div>
        </div>
      )}
    </div>
  );
}

type FootProps = Readonly<{ values: JobForm; isSubmitting: boolean; failure: string | null }>;

/** The button, beside it what it still waits for, above it what went wrong. */
function AddJobFoot({ values, isSubmitting, failure }: FootProps) {
  const need = useId();
  const needed = stillNeeded(values);
  return (
    <div className="addjob__foot">
      {failure && !isSubmitting && (
        <div className="alert alert--error" role="alert">
          <Icon name="circle-alert" />
          <div>
            <strong>{failure}</strong>
            <span>What you typed is kept.</span>
          </div>
        </div>
      )}
      <p className="addjob__need" id={need}>
        {needed && (
          <>
            <Icon name="info" className="icon--sm" />
            <span>{needed}</span>
          </>
        )}
      </p>
      <button
        className="btn btn--primary btn--lg"
        type="submit"
        disabled={isSubmitting || !isComplete(values)}
        aria-busy={isSubmitting}
        aria-describedby={need}
      >
        {isSubmitting ? 'Creating...' : 'Create Job'}
      </button>
    </div>
  );
}

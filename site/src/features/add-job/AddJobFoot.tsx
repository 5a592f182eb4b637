import { useId } from 'react';
import { Icon } from '#site/ui/Icon.tsx';
import { isComplete, type JobForm, stillNeeded } from './job-form.ts';

type Props = Readonly<{ values: JobForm; isSubmitting: boolean; failure: string | null }>;

/** The button, beside it what it still waits for, above it what went wrong. */
export function AddJobFoot({ values, isSubmitting, failure }: Props) {
  const need = useId();
  const needed = stillNeeded(values);
  return (
    <div className="addjob__foot">
      {failure && !isSubmitting && (
        <div className="alert alert--error" role="alert">
          <Icon name="circle-alert" />
          <div>
            <strong>{failure}</strong>
            What you typed is kept.
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

import { type SubmitEvent, useEffect, useRef } from 'react';
import type { Elements } from 'react/jsx-runtime';
import { useQuery } from '#site/lib/http/query.ts';
import type { Profile } from '#site/lib/profile.ts';
import { profileQuery } from '#site/lib/profile-settings.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { LoadFailure } from '#site/ui/PanelStates.tsx';

type Props = Readonly<{
  /** Its name for screen readers. */
  name: string;
  title: string;
  lede: string;
  /** Takes the focus to the heading: this step was gone to. */
  isGoneTo?: boolean;
  isNextOff?: boolean;
  isBusy: boolean;
  onBack?: (() => void) | undefined;
  onNext(): void;
  children: Elements;
}>;

/** One step of setting the profile up: a heading, what it asks, and Next under the thumb. */
export function SetupForm(props: Props) {
  const { name, title, lede, isGoneTo = false, isNextOff = false, isBusy, onBack, onNext, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  // An effect, because the focus goes to a heading that has to be drawn first.
  useEffect(() => {
    if (isGoneTo) heading.current?.focus();
  }, [isGoneTo]);

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (!isBusy && !isNextOff) onNext();
  }

  return (
    <form className="wizard setup" aria-label={name} noValidate onSubmit={submit}>
      <div className="wizard__head">
        <h1 tabIndex={-1} ref={heading}>
          {title}
        </h1>
        <p className="lede">{lede}</p>
      </div>
      {children}
      <div className="wizard-bar">
        <div className="wizard-bar__in">
          {onBack && (
            <button className="btn btn--secondary btn--lg" type="button" disabled={isBusy} onClick={onBack}>
              <Icon name="arrow-left" />
              <span>Back</span>
            </button>
          )}
          <p className="wizard-bar__hint" />
          <button
            className="btn btn--primary btn--lg"
            type="submit"
            disabled={isNextOff}
            aria-disabled={isBusy}
            aria-busy={isBusy}
          >
            Next
          </button>
        </div>
      </div>
    </form>
  );
}

/** Shows what needs the profile once it is there. */
export function ProfileGate({ children }: Readonly<{ children: (profile: Profile) => Elements }>) {
  const { data, status, error } = useQuery(profileQuery);
  if (data) return children(data);
  return (
    <div className="wizard setup">
      {status === 'error' ? (
        <LoadFailure message={error?.message ?? ''} onAgain={profileQuery.refresh} />
      ) : (
        <div className="wizard__head" role="status">
          <span className="sk setup__sk" />
          <span className="sk sk--block setup__sk--tall" />
          <span className="sr">Loading…</span>
        </div>
      )}
    </div>
  );
}

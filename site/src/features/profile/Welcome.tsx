import { useState } from 'react';
import { noteFirstStep } from '#site/lib/first-steps.ts';
import { ApiError, unknownFailure } from '#site/lib/http/api.ts';
import { profileQuery, saveProfile } from '#site/lib/profile-settings.ts';
import { HelloScene } from '#site/ui/drawn-again.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import { shareJobForm } from '#site/ui/share-job-form.ts';
import { toast } from '#site/ui/toast/toast.ts';

/** Shown instead of the settings until 'Let's Go' was pressed, on any device. Sharing the form comes first. */
export function Welcome({ slug }: Readonly<{ slug: string | null }>) {
  const [isBusy, setIsBusy] = useState(false);

  async function start(): Promise<void> {
    setIsBusy(true);
    try {
      const profile = await saveProfile({ onboarding: false });
      profileQuery.update(() => profile);
    } catch (error) {
      toast.error(error instanceof ApiError ? error.message : unknownFailure);
      setIsBusy(false);
    }
  }

  async function share(link: string): Promise<void> {
    if (await shareJobForm(link)) noteFirstStep({ isShared: true });
  }

  return (
    <section className="hello" aria-labelledby="welcome">
      <HelloScene />
      <div className="hello__main">
        <h1 id="welcome">
          <span>{'Welcome aboard! '}</span>
          <PartySign />
        </h1>
        <p className="lede">
          This link is your shop door. Put it where customers look for you, and jobs come in by themselves.
        </p>
        {slug && (
          <p className="linkbox">
            <Icon name="share" />
            <span>{`${location.host}/t/${slug}`}</span>
          </p>
        )}
        <div className="hello__do">
          {slug && (
            <button className="btn btn--primary btn--lg" type="button" onClick={() => void share(slug)}>
              <Icon name="share" />
              <span>Share your job form</span>
            </button>
          )}
          <button
            className="btn btn--secondary btn--lg"
            type="button"
            disabled={isBusy}
            aria-busy={isBusy}
            onClick={() => void start()}
          >
            Let's Go
          </button>
        </div>
        <p className="field__hint">
          Good places: your Facebook page, Google profile, email signature, the side of the ute.
        </p>
      </div>
    </section>
  );
}

/** The sign of the heading as a drawing, so that no font of the device decides how it looks. */
function PartySign() {
  return (
    <svg className="hello__sign" viewBox="0 0 24 24" role="img" aria-label="🎉">
      <path d="m4 20 4.5-12 7.5 7.5z" fill="#FFC629" stroke="#1B1A14" />
      <path d="M13 5c1-1.5 3-1.5 3.5-3M18 9c1.5-1 3-.5 4-2M19 14c1-.6 2-.5 3 0M11 4.5V3" stroke="#A61B1B" />
      <circle cx="19.5" cy="3.5" r="1" fill="#2F2A6B" />
      <circle cx="21" cy="11" r="1" fill="#14532D" />
    </svg>
  );
}

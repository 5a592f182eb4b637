import { useState } from 'react';
import { ApiError, unknownFailure } from '#site/lib/http/api.ts';
import { profileQuery } from '#site/lib/http/profile-query.ts';
import { saveProfile } from '#site/lib/settings-api.ts';
import { toast } from '#site/ui/toast/toast.ts';

/** Shown instead of the settings until 'Let's Go' was pressed, on any device. */
export function Welcome({ firstName }: Readonly<{ firstName: string }>) {
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

  return (
    <section className="welcome" aria-labelledby="welcome">
      <h1 id="welcome">Welcome aboard! 🎉</h1>
      <p className="lede">
        {`${firstName}, your page is up. Share its link with your customers, and their jobs arrive under New.`}
      </p>
      <button
        className="btn btn--primary btn--lg"
        type="button"
        disabled={isBusy}
        aria-busy={isBusy}
        onClick={() => void start()}
      >
        Let's Go
      </button>
    </section>
  );
}

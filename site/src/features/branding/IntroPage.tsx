import { useState } from 'react';
import { introLength } from '#core/values/business.ts';
import { ApiError, unknownFailure } from '#site/lib/http/api.ts';
import { draftsOf } from '#site/lib/offline/drafts.ts';
import type { Profile } from '#site/lib/profile.ts';
import { saveIntro } from '#site/lib/profile-settings.ts';
import { accountOf } from '#site/lib/session/session-storage.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { isText } from '#site/lib/shape.ts';
import { FaultBoundary } from '#site/ui/FaultBoundary.tsx';
import { useAppForm } from '#site/ui/form/form.ts';
import { CountedTextArea } from '#site/ui/form/TextField.tsx';
import { toast } from '#site/ui/toast/toast.ts';
import { ProfileGate, SetupForm } from './SetupForm.tsx';

const next = '/profile/brand';

/** `/profile/intro`: a few words about the business, for its public page. */
export function IntroPage() {
  return (
    <FaultBoundary>
      <ProfileGate>{(profile) => <IntroForm profile={profile} />}</ProfileGate>
    </FaultBoundary>
  );
}

function IntroForm({ profile }: Readonly<{ profile: Profile }>) {
  const [draft] = useState(() => draftsOf('intro', accountOf($session.get()?.token ?? ''), isText));
  const form = useAppForm({
    defaultValues: { intro: draft.read() ?? profile.intro },
    listeners: {
      onChange: ({ formApi }) => {
        toast.dismiss('intro');
        const { intro } = formApi.state.values;
        if (intro === profile.intro) draft.remove();
        else draft.write(intro);
      },
    },
    onSubmit: async ({ value }) => {
      try {
        await saveIntro(value.intro);
        draft.remove();
        location.assign(next);
      } catch (error) {
        toast.error(error instanceof ApiError ? error.message : unknownFailure, { id: 'intro' });
      }
    },
  });
  return (
    <form.Subscribe selector={({ isSubmitting }) => isSubmitting}>
      {(isSubmitting) => (
        <SetupForm
          name="Introduction"
          title="Introduce your business"
          lede="What you do, where, and since when. Customers read it on your page."
          isBusy={isSubmitting}
          onNext={() => void form.handleSubmit()}
        >
          <form.AppField name="intro">
            {() => (
              <CountedTextArea
                label="Introduction"
                rows={6}
                maxLength={introLength}
                placeholder="Family plumbers in Brunswick since 2009. Blocked drains, hot water and gas."
              />
            )}
          </form.AppField>
        </SetupForm>
      )}
    </form.Subscribe>
  );
}

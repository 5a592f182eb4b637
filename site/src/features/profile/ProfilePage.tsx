import { AppearanceCard } from '#site/features/profile/AppearanceCard.tsx';
import { SettingsEntries } from '#site/features/profile/settings/SettingsEntries.tsx';
import { SettingsPanelHost } from '#site/features/profile/settings/SettingsPanelHost.tsx';
import { Welcome } from '#site/features/profile/Welcome.tsx';
import { profileQuery } from '#site/lib/http/profile-query.ts';
import { useQuery } from '#site/lib/http/use-query.ts';
import { initials } from '#site/lib/initials.ts';
import { FaultBoundary } from '#site/ui/FaultBoundary.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import { BusinessProfileCard } from './BusinessProfileCard.tsx';
import { ProfileSkeleton } from './ProfileSkeleton.tsx';

const planNames = { starter: 'Starter plan', plus: 'Plus plan', pro: 'Pro plan' };

/** Who is signed in, the business's public face, the settings, and on a phone the way out. */
export function ProfilePage() {
  return (
    <FaultBoundary>
      <ProfileSummary />
      <a className="btn btn--secondary btn--block only-sm" href="/logout">
        <Icon name="log-out" />
        Logout
      </a>
      <SettingsPanelHost />
    </FaultBoundary>
  );
}

function ProfileSummary() {
  const { data: profile, status, error } = useQuery(profileQuery);
  if (!profile && status === 'error') return <LoadFailure message={error?.message ?? ''} />;
  if (!profile) return <ProfileSkeleton />;
  if (profile.onboarding) return <Welcome firstName={profile.firstName} />;
  const { firstName, lastName, email, type } = profile;
  return (
    <>
      <div className="profile__sum">
        <span className="avatar avatar--lg" aria-hidden="true">
          {initials(firstName, lastName)}
        </span>
        <div>
          <h1>{`${firstName} ${lastName}`}</h1>
          <p className="lede">{email}</p>
          <p className="plan">{planNames[type]}</p>
        </div>
      </div>
      <div className="profile__cols">
        <BusinessProfileCard profile={profile} />
        <div className="profile__side">
          <SettingsEntries />
          <AppearanceCard />
        </div>
      </div>
    </>
  );
}

function LoadFailure({ message }: { message: string }) {
  return (
    <div className="empty" role="alert">
      <span className="empty__sign empty__sign--error">
        <Icon name="circle-alert" />
      </span>
      <h1>Profile</h1>
      <p>{message}</p>
      <button className="btn btn--secondary" type="button" onClick={() => void profileQuery.refresh()}>
        <Icon name="refresh-cw" />
        Try again
      </button>
    </div>
  );
}

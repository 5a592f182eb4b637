import type { ReactNode } from 'react';
import { profileQuery } from '#site/lib/http/profile-query.ts';
import { useQuery } from '#site/lib/http/use-query.ts';
import type { Profile } from '#site/lib/profile.ts';
import { LoadFailure } from '#site/ui/PanelStates.tsx';

/** Shows what needs the profile once it is there. */
export function ProfileGate({ children }: Readonly<{ children: (profile: Profile) => ReactNode }>) {
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

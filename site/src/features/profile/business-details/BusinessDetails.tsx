import { useState } from 'react';
import { profileQuery } from '#site/lib/http/profile-query.ts';
import { useQuery } from '#site/lib/http/use-query.ts';
import type { Profile } from '#site/lib/profile.ts';
import { LoadFailure, PartsSkeleton } from '#site/ui/PanelStates.tsx';
import { DetailsFields } from './DetailsFields.tsx';

/** The business as customers see it, and its owner's name. Content of the Business details panel. */
export function BusinessDetails() {
  const { data, status, error } = useQuery(profileQuery);
  if (data) return <OpenedDetails profile={data} />;
  return (
    <div className="panel__body">
      {status === 'error' ? (
        <LoadFailure message={error?.message ?? ''} onAgain={profileQuery.refresh} />
      ) : (
        <PartsSkeleton />
      )}
    </div>
  );
}

/** The form starts from what was known when the panel opened: what arrives meanwhile overwrites nothing that is typed. */
function OpenedDetails({ profile }: Readonly<{ profile: Profile }>) {
  const [round, setRound] = useState({ profile, number: 0 });
  return (
    <DetailsFields
      key={round.number}
      profile={round.profile}
      onAgain={(from) => setRound({ profile: from, number: round.number + 1 })}
    />
  );
}

import { profileQuery } from '#site/lib/http/profile-query.ts';
import { useQuery } from '#site/lib/http/use-query.ts';
import { FaultBoundary } from '#site/ui/FaultBoundary.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import { EnquiryFormBuilder } from './EnquiryFormBuilder.tsx';

/** The enquiry form as a page of its own. */
export function EnquiryFormPage() {
  const { data: profile } = useQuery(profileQuery);
  return (
    <FaultBoundary>
      <div className="list-head">
        <div className="list-head__title">
          <a className="back" href="/profile">
            <Icon name="arrow-left" />
            <span>Profile</span>
          </a>
          <h1>Enquiry form</h1>
        </div>
        {profile?.slug && (
          <div className="list-head__tools">
            <a className="btn btn--secondary" href={`/t/${profile.slug}`} target="_blank" rel="noopener">
              <Icon name="eye" />
              Preview
            </a>
          </div>
        )}
      </div>
      <EnquiryFormBuilder />
    </FaultBoundary>
  );
}

import { useQuery } from '#site/lib/http/use-query.ts';
import { LoadFailure, PartsSkeleton } from '#site/ui/PanelStates.tsx';
import { contactQuery } from './contact-store.ts';
import { EmailPart } from './EmailPart.tsx';
import { PasswordPart } from './PasswordPart.tsx';
import { PhonePart } from './PhonePart.tsx';
import { SessionsPart } from './SessionsPart.tsx';

/** Password, email, mobile number, and where the account is signed in. Content of the Security panel. */
export function SecuritySettings() {
  const { data: contact, status, error } = useQuery(contactQuery);
  return (
    <div className="panel__body">
      {contact ? (
        <>
          <PasswordPart email={contact.email} />
          <EmailPart contact={contact} />
          <PhonePart contact={contact} />
          <SessionsPart />
        </>
      ) : status === 'error' ? (
        <LoadFailure message={error?.message ?? ''} onAgain={contactQuery.refresh} />
      ) : (
        <PartsSkeleton />
      )}
    </div>
  );
}

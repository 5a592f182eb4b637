import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { formatPhone } from '#core/values/phone.ts';
import type { Region } from '#core/values/region.ts';
import { phoneMessage, readPhone } from '#core/values/typed-phone.ts';
import { useQuery } from '#site/lib/http/query.ts';
import { $session, ownRegion } from '#site/lib/session/session-store.ts';
import { PhoneField } from '#site/ui/form/TextField.tsx';
import { PartsLoading } from '#site/ui/PanelStates.tsx';
import { toast } from '#site/ui/toast/toast.ts';
import { ClosePart, ExportPart } from './CloseAndExport.tsx';
import { ContactForm, PhoneCode } from './ContactForm.tsx';
import { EmailPart, PendingNote, PublicSwitch } from './EmailPart.tsx';
import { PasswordPart, SessionRow } from './PasswordPart.tsx';
import { RetentionPart } from './RetentionPart.tsx';
import { formFailure, SettingPart } from './SettingPart.tsx';
import {
  askForPhone,
  type Contact,
  contactDraft,
  contactQuery,
  sessionsQuery,
  signOutOthers,
} from './security-api.ts';

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
          <RetentionPart />
          <ExportPart email={contact.email} what="everything" />
          <ExportPart email={contact.email} what="account" />
          <ClosePart email={contact.email} />
        </>
      ) : (
        <PartsLoading {...{ status, error }} onAgain={contactQuery.refresh} />
      )}
    </div>
  );
}

/** The mobile number that alerts go to. A new one counts once the code that is sent there has been given. */
function PhonePart({ contact }: Readonly<{ contact: Contact }>) {
  const [hasDraft] = useState(() => contactDraft('phone').read() !== null);
  const { phone, pendingPhone } = contact;
  const region = ownRegion();
  return (
    <SettingPart
      title="Mobile number"
      value={formatPhone(phone, region)}
      change="Change number"
      startsOpen={hasDraft}
      onCancel={() => contactDraft('phone').remove()}
      below={
        <>
          {pendingPhone && (
            <PendingNote what="phone" title="Confirm your new mobile number">
              <PhoneCode pending={pendingPhone} />
            </PendingNote>
          )}
          <PublicSwitch name="showPhone" isShown={contact.showPhone} />
        </>
      }
    >
      {(close) => (
        <ContactForm
          what="phone"
          label="Change number"
          button="Send the code"
          problemOf={(text) => phoneProblem(text, phone, region)}
          ask={askForPhone}
          onDone={close}
          field={<PhoneField label="New mobile number" autoComplete="tel" />}
        />
      )}
    </SettingPart>
  );
}

function phoneProblem(text: string, present: string, country: Region | null): string | null {
  const phone = readPhone(text, country);
  if (phone === present) return 'This is your number already';
  return phone === null ? phoneMessage : null;
}

/** Where the account is signed in, each with its way out. */
function SessionsPart() {
  const { data: sessions, status, error } = useQuery(sessionsQuery);
  const timeZone = useStore($session)?.user?.timeZone ?? 'UTC';
  const hasOthers = sessions?.some(({ current }) => !current) ?? false;
  return (
    <section className="settings__part" aria-labelledby="sessions">
      <h3 id="sessions">Where you are signed in</h3>
      {sessions ? (
        <ul className="rows">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} timeZone={timeZone} />
          ))}
        </ul>
      ) : (
        <PartsLoading {...{ status, error }} onAgain={sessionsQuery.refresh} />
      )}
      {hasOthers && (
        <button className="btn btn--secondary" type="button" onClick={() => void endOthers()}>
          Sign out everywhere else
        </button>
      )}
    </section>
  );
}

async function endOthers(): Promise<void> {
  try {
    await signOutOthers();
    toast.dismiss('session');
    toast.success('Every other device was signed out');
  } catch (error) {
    toast.error(formFailure(error).message ?? '', { id: 'session' });
  }
}

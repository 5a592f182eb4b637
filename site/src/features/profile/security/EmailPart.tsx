import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { emailMessage, isEmail, maxEmailLength, normaliseEmail } from '#core/values/contact.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { formatTime } from '#site/lib/time/moments.ts';
import { TextField } from '#site/ui/form/TextField.tsx';
import { ContactForm } from './ContactForm.tsx';
import { contactDraft } from './contact-draft.ts';
import { PendingNote } from './PendingNote.tsx';
import { PublicSwitch } from './PublicSwitch.tsx';
import { SettingPart } from './SettingPart.tsx';
import { askForEmail, type Contact } from './security-api.ts';
import { UnconfirmedNote } from './UnconfirmedNote.tsx';

/** The email to log in with. A new one counts once the link that is sent there has been opened. */
export function EmailPart({ contact }: Readonly<{ contact: Contact }>) {
  const timeZone = useStore($session)?.user?.timeZone;
  const [hasDraft] = useState(() => contactDraft('email').read() !== null);
  const { email, pendingEmail } = contact;
  return (
    <SettingPart
      title="Email"
      value={email}
      change="Change email"
      startsOpen={hasDraft}
      onCancel={() => contactDraft('email').remove()}
      below={
        <>
          {contact.unconfirmed && <UnconfirmedNote email={email} limits={contact.unconfirmed} />}
          {pendingEmail && (
            <PendingNote what="email" title={`Open the link we sent to ${pendingEmail.value}`}>
              Until then you log in with {email}.
              {timeZone && ` The link works until ${formatTime(pendingEmail.expiresAt, timeZone)}.`}
            </PendingNote>
          )}
          <PublicSwitch name="showEmail" isShown={contact.showEmail} />
        </>
      }
    >
      {(close) => (
        <ContactForm
          what="email"
          label="Change email"
          button="Send the link"
          problemOf={(text) => emailProblem(text, email)}
          ask={(typed, password) => askForEmail(normaliseEmail(typed), password)}
          onDone={close}
          field={
            <TextField
              label="New email address"
              type="email"
              inputMode="email"
              autoComplete="email"
              maxLength={maxEmailLength}
            />
          }
        />
      )}
    </SettingPart>
  );
}

function emailProblem(text: string, present: string): string | null {
  const email = normaliseEmail(text);
  if (email === present) return 'This is your email already';
  return isEmail(email) ? null : emailMessage;
}

import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { emailMessage, isEmail, maxEmailLength, normaliseEmail } from '#core/values/contact.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { formatTime } from '#site/lib/time/moments.ts';
import { TextField } from '#site/ui/form/TextField.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import { toast } from '#site/ui/toast/toast.ts';
import { ContactForm } from './ContactForm.tsx';
import { contactDraft } from './contact-draft.ts';
import { lookAgain, storeContact } from './contact-store.ts';
import { formFailure } from './form-failure.ts';
import { PendingNote } from './PendingNote.tsx';
import { PublicSwitch } from './PublicSwitch.tsx';
import { SettingPart } from './SettingPart.tsx';
import { askForEmail, type Contact, sendConfirmation } from './security-api.ts';

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

type Props = Readonly<{ email: string; limits: NonNullable<Contact['unconfirmed']> }>;

/** That the email was never confirmed, what that costs, and the way to get another link. */
function UnconfirmedNote({ email, limits: { mailsADay, heldBack } }: Props) {
  const [isSending, setSending] = useState(false);
  // The link opens in another tab or app: a user who comes back from there sees that it is confirmed.
  useEffect(() => {
    document.addEventListener('visibilitychange', lookAgain);
    return () => document.removeEventListener('visibilitychange', lookAgain);
  }, []);
  const send = async () => {
    setSending(true);
    try {
      storeContact(await sendConfirmation());
      toast.dismiss('contact-confirmation');
      toast.success(`We sent a link to ${email}`);
    } catch (error) {
      toast.error(formFailure(error).message ?? '', { id: 'contact-confirmation' });
    }
    setSending(false);
  };
  return (
    <div className="alert alert--warning" role="status">
      <Icon name="mail" />
      <div className="settings__pending">
        <strong>Confirm your email address</strong>
        Open the link we sent to {email}. Until then, at most {mailsADay} emails a day go to your customers.
        {heldBack > 0 &&
          ` ${heldBack} ${heldBack === 1 ? 'email waits' : 'emails wait'} for it since yesterday.`}
        <button
          className="btn btn--quiet btn--sm"
          type="button"
          disabled={isSending}
          onClick={() => void send()}
        >
          Send the link again
        </button>
      </div>
    </div>
  );
}

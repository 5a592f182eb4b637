import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { Elements } from 'react/jsx-runtime';
import { emailMessage, isEmail, maxEmailLength, normaliseEmail } from '#core/values/contact.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { formatTime } from '#site/lib/time/moments.ts';
import { publicSwitchLabel } from '#site/ui/form/public-switch.ts';
import { SwitchRow } from '#site/ui/form/SwitchRow.tsx';
import { TextField } from '#site/ui/form/TextField.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import { toast } from '#site/ui/toast/toast.ts';
import { ContactForm } from './ContactForm.tsx';
import { focusOnPart, formFailure, SettingPart } from './SettingPart.tsx';
import {
  askForEmail,
  type Contact,
  contactDraft,
  dropChange,
  lookAgain,
  publicSwitch,
  sendConfirmation,
  storeContact,
} from './security-api.ts';

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
              <span>{`Until then you log in with ${email}.`}</span>
              {timeZone && (
                <span>{` The link works until ${formatTime(pendingEmail.expiresAt, timeZone)}.`}</span>
              )}
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
        <span>
          {`Open the link we sent to ${email}. Until then, at most ${mailsADay} emails a day go to your customers.`}
        </span>
        {heldBack > 0 && (
          <span>
            {` ${heldBack} ${heldBack === 1 ? 'email waits' : 'emails wait'} for it since yesterday.`}
          </span>
        )}
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

type PendingNoteProps = Readonly<{ what: 'email' | 'phone'; title: string; children: Elements }>;

/** A change that waits to be confirmed, and the way to give it up. */
export function PendingNote({ what, title, children }: PendingNoteProps) {
  const [isDropping, setDropping] = useState(false);
  // Confirming happens in another tab or app: a visitor who comes back sees what became of it.
  useEffect(() => {
    document.addEventListener('visibilitychange', lookAgain);
    return () => document.removeEventListener('visibilitychange', lookAgain);
  }, []);
  const drop = async (pressed: Element) => {
    setDropping(true);
    try {
      const contact = await dropChange(what);
      focusOnPart(pressed);
      storeContact(contact);
      toast.dismiss('contact-change');
    } catch (error) {
      setDropping(false);
      toast.error(formFailure(error).message ?? '', { id: 'contact-change' });
    }
  };
  return (
    <div className="alert alert--info" role="status">
      <Icon name={what === 'email' ? 'mail' : 'phone'} />
      <div className="settings__pending">
        <strong>{title}</strong>
        {children}
        <button
          className="btn btn--quiet btn--sm"
          type="button"
          disabled={isDropping}
          onClick={({ currentTarget }) => void drop(currentTarget)}
        >
          Keep the present one
        </button>
      </div>
    </div>
  );
}

type PublicSwitchProps = Readonly<{ name: 'showEmail' | 'showPhone'; isShown: boolean }>;

/** Whether customers see a contact detail on the public page. */
export function PublicSwitch({ name, isShown }: PublicSwitchProps) {
  const [{ $switches, turn }] = useState(() => publicSwitch(name, isShown));
  const { values, phases, problem } = useStore($switches);
  return (
    <div className="rows">
      <SwitchRow
        label={publicSwitchLabel}
        {...(problem ? { note: problem } : {})}
        isOn={values[name]}
        phase={phases[name]}
        onTurn={(isOn) => void turn(name, isOn)}
      />
    </div>
  );
}

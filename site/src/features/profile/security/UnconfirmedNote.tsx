import { useEffect, useState } from 'react';
import { Icon } from '#site/ui/Icon.tsx';
import { toast } from '#site/ui/toast/toast.ts';
import { lookAgain, storeContact } from './contact-store.ts';
import { formFailure } from './form-failure.ts';
import { type Contact, sendConfirmation } from './security-api.ts';

type Props = Readonly<{ email: string; limits: NonNullable<Contact['unconfirmed']> }>;

/** That the email was never confirmed, what that costs, and the way to get another link. */
export function UnconfirmedNote({ email, limits: { mailsADay, heldBack } }: Props) {
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

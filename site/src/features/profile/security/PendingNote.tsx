import { type ReactNode, useEffect, useState } from 'react';
import { Icon } from '#site/ui/Icon.tsx';
import { toast } from '#site/ui/toast/toast.ts';
import { lookAgain, storeContact } from './contact-store.ts';
import { formFailure } from './form-failure.ts';
import { dropChange } from './security-api.ts';

type Props = Readonly<{ what: 'email' | 'phone'; title: string; children: ReactNode }>;

/** A change that waits to be confirmed, and the way to give it up. */
export function PendingNote({ what, title, children }: Props) {
  const [isDropping, setDropping] = useState(false);
  // Confirming happens in another tab or app: a visitor who comes back sees what became of it.
  useEffect(() => {
    document.addEventListener('visibilitychange', lookAgain);
    return () => document.removeEventListener('visibilitychange', lookAgain);
  }, []);
  const drop = async () => {
    setDropping(true);
    try {
      storeContact(await dropChange(what));
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
          onClick={() => void drop()}
        >
          Keep the present one
        </button>
      </div>
    </div>
  );
}

import { useState } from 'react';
import { ApiError, request, unknownFailure } from '#site/lib/http/api.ts';
import { refreshQueries } from '#site/lib/http/query.ts';
import { profileQuery } from '#site/lib/profile-settings.ts';
import { formatDay } from '#site/lib/time/moments.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { Icon } from './Icon.tsx';

type Props = Readonly<{
  /** When the business is to be closed, an instant. */
  closesAt: string;
  timeZone: string;
}>;

/** Says when the business is closed; one press takes that back. */
export function ClosingNote({ closesAt, timeZone }: Props) {
  const [isSending, setSending] = useState(false);
  const keep = async () => {
    setSending(true);
    await keepOpen();
    setSending(false);
  };
  return (
    <section className="alert alert--warning" aria-label="Closing">
      <Icon name="circle-alert" />
      <div className="closing-note">
        <strong>{`Your business closes on ${closingDay(closesAt, timeZone)}`}</strong>
        <span>
          Your public page is offline. On that day your account, your jobs and your customers’ details are
          removed for good.
        </span>
        <button
          className="btn btn--secondary btn--sm"
          type="button"
          disabled={isSending}
          onClick={() => void keep()}
        >
          Keep it open
        </button>
      </div>
    </section>
  );
}

/** `Thu 24 Dec 2026` */
export function closingDay(instant: string | Date, timeZone: string): string {
  const year = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric' }).format(new Date(instant));
  return `${formatDay(instant, timeZone)} ${year}`;
}

/** Takes the closing back; a failure is shown. */
async function keepOpen(): Promise<void> {
  try {
    await request('DELETE', '/settings/closing');
    await refreshClosing();
    toast.dismiss('closing');
    toast.success('Your business stays open, and your public page is back');
  } catch (error) {
    toast.error(error instanceof ApiError ? error.message : unknownFailure, { id: 'closing' });
  }
}

/** Asks again for what shows whether the business is to be closed; the session is brought up to date with the profile. */
export async function refreshClosing(): Promise<void> {
  refreshQueries((key) => key === 'closing');
  await profileQuery.refresh();
}

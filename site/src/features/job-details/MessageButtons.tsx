import { useStore } from '@nanostores/react';
import { type MessageKind, messageLabels } from '#core/job/customer-messages.ts';
import type { JobView } from '#core/job/view.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { canMessage, messageLink } from './customer-message.ts';
import { noteMessage } from './note-message.ts';

/** Two taps to tell today's customer where you are, in the phone's own messages. */
export function MessageButtons({ job }: { job: JobView }) {
  const user = useStore($session, { ssr: () => null })?.user;
  if (!user || !canMessage(job, user.timeZone, new Date())) return null;
  const button = (kind: MessageKind) => (
    <a
      className="btn btn--secondary btn--sm"
      href={messageLink(kind, job, user)}
      onClick={() => void noteMessage(job.id, kind)}
    >
      <Icon name="send" />
      {messageLabels[kind]}
    </a>
  );
  return (
    <div className="contact__messages">
      {button('on-my-way')}
      {button('running-late')}
    </div>
  );
}

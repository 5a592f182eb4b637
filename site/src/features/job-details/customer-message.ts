import type { MessageKind } from '#core/job/customer-messages.ts';
import type { JobStatus } from '#core/job/statuses.ts';
import type { JobView } from '#core/job/view.ts';
import { dayKind, formatTime } from '#site/lib/time/moments.ts';

type Messaged = Pick<JobView, 'name' | 'title' | 'scheduledAt' | 'phone' | 'status'>;

/** Work that the customer is still waiting for. */
const stillToDo: readonly JobStatus[] = ['To quote', 'In progress', 'Quoted'];

/** Whether the customer of a job may want to know where the tradie is: it is today, and not done. */
export function canMessage({ phone, status, scheduledAt }: Messaged, timeZone: string, now: Date): boolean {
  if (!phone || !scheduledAt || !stillToDo.includes(status)) return false;
  return dayKind(scheduledAt, timeZone, now) === 'today';
}

/** The sender, by the name that customers know, and the IANA zone of their clocks. */
type Sender = Readonly<{ businessName?: string | undefined; timeZone: string }>;

/** The link that opens the phone's own messages with the text filled in. `?&` is what both iOS and Android read. */
export function messageLink(kind: MessageKind, job: Messaged, sender: Sender): string {
  return `sms:${job.phone}?&body=${encodeURIComponent(messageText(kind, job, sender))}`;
}

function messageText(kind: MessageKind, job: Messaged, { businessName, timeZone }: Sender): string {
  const { name, title, scheduledAt } = job;
  const from = businessName ? `, ${businessName} here` : '';
  const hello = `Hi ${name.trim().split(/\s+/)[0]}${from}`;
  if (kind === 'on-my-way') return `${hello}. I’m on my way for your job: ${title}.`;
  const time = scheduledAt ? ` ${formatTime(scheduledAt, timeZone)}` : '';
  return `${hello}. I’m running late for your${time} job: ${title}. Sorry, I’ll be there as soon as I can.`;
}

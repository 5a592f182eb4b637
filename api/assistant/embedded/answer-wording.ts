import type { Clock, JobLine, JobTools, Piece } from '#api/assistant/assistant.ts';
import type { JobCardView } from '#core/job/view.ts';
import { suburbOf } from '#core/values/contact-in-text.ts';
import { product } from '#core/values/product.ts';
import { truncate } from '#core/values/text.ts';
import type { NewJob, Topic } from './intent.ts';

const words = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'];

/** `No jobs`, `One job`, `Three jobs`, `12 jobs`. */
export function numberOf(count: number, thing = 'job'): string {
  return `${words[count] ?? count} ${thing}${count === 1 ? '' : 's'}`;
}

/** `7:30AM` on the business's clock; `Any time` of a day without an hour (decision 158). */
export function timeOf(instant: string, { timeZone }: Clock): string {
  const at = Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone);
  const { hour, minute } = at;
  if (at.toPlainTime().equals('00:00')) return 'Any time';
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')}${hour < 12 ? 'AM' : 'PM'}`;
}

/** `Mon 05 Jan` on the business's calendar. */
export function dayOf(instant: string, { timeZone }: Clock): string {
  const day = Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone).toPlainDate();
  const name = (options: Intl.DateTimeFormatOptions) => day.toLocaleString('en-AU', options).slice(0, 3);
  return `${name({ weekday: 'short' })} ${String(day.day).padStart(2, '0')} ${name({ month: 'short' })}`;
}

/** Rows that lead with the time of day. */
export function byTime(jobs: readonly JobCardView[], clock: Clock): JobLine[] {
  return jobs.map((job) => ({
    ...{ id: job.id, title: job.title },
    lead: job.scheduledAt ? timeOf(job.scheduledAt, clock) : '',
  }));
}

/** Rows that lead with the day on which the job is, else with the one on which it came. */
export function byDay(jobs: readonly JobCardView[], clock: Clock): JobLine[] {
  return jobs.map((job) => ({
    ...{ id: job.id, title: job.title, lead: dayOf(job.scheduledAt ?? job.createdAt, clock) },
  }));
}

/** Rows that lead with the day on which the job came. */
export function byArrival(jobs: readonly JobCardView[], clock: Clock): JobLine[] {
  return jobs.map((job) => ({ id: job.id, title: job.title, lead: dayOf(job.createdAt, clock) }));
}

/** ` in Coburg VIC`, or nothing where the suburb is not known. */
export function placeOf({ location }: JobCardView): string {
  const suburb = suburbOf(location.address);
  return suburb ? ` in ${suburb}` : '';
}

/** A job's title in a sentence: in quotes, cut, so that a customer's words never read like Kel's own. */
export function quoted({ title }: Pick<JobCardView, 'title'>): string {
  return `“${truncate(title, 60)}”`;
}

/** A piece of plain text. */
export function say(text: string): Piece {
  return { kind: 'text', text };
}

const examples =
  'I can tell you what’s on any day or week, what’s new, who has been waiting longest, what needs a quote or is unpaid, and what you quoted or finished when. I can find a job by name, words, suburb or reference, write a note on it, and get it ready to move, accept, reject or mark.';

/** What the assistant can answer, for who asks, or asked something else. */
export function helpPieces(kind: 'help' | 'unknown'): Piece[] {
  return kind === 'help' ? [say(examples)] : [say('I don’t know that one.'), say(examples)];
}

/** For an order that nothing here carries out. */
export function cannotPieces(): Piece[] {
  return [say('I can’t do that yet.'), say(examples)];
}

/** The Add-job form with what the tradie said in it. It stands behind the `#`, which a browser sends to no server. */
export function addJobPieces(job: NewJob): Piece[] {
  const typed = Object.entries(job).filter(([, value]) => value);
  if (typed.length === 0)
    return [say(pages.add.text), { kind: 'link', label: pages.add.label, path: '/jobs/add' }];
  const path = `/jobs/add#${new URLSearchParams(typed as [string, string][])}`;
  return [
    say('I filled in what you said. Check it, add the rest, and create the job.'),
    { kind: 'link', label: 'Open the filled form', path },
  ];
}

const pages: Record<Exclude<Topic, 'form'>, Readonly<{ text: string; label: string; path: string }>> = {
  questions: {
    text: 'Choose what customers are asked in the enquiry form, on your profile.',
    ...{ label: 'Enquiry form', path: '/profile/form' },
  },
  add: { text: 'Add a job by hand here.', label: 'Add new job', path: '/jobs/add' },
  alerts: {
    text: 'Your notifications say what we tell you, by email and SMS.',
    ...{ label: 'Notifications', path: '/profile?panel=notifications' },
  },
  password: {
    text: 'Password and signed-in devices are under Security.',
    ...{ label: 'Security', path: '/profile?panel=security' },
  },
  profile: {
    text: 'Name, intro, logo and colour are on your profile.',
    ...{ label: 'Profile', path: '/profile' },
  },
  time: {
    text: 'Open the job and choose its day and time there. Find it by asking me, or in your list.',
    ...{ label: 'All jobs', path: '/jobs/all' },
  },
  logout: {
    text: `This signs you out of ${product.name} on this device.`,
    ...{ label: 'Log out', path: '/logout' },
  },
};

/** Where a part of the product is. */
export async function howPieces(topic: Topic, tools: JobTools): Promise<Piece[]> {
  if (topic !== 'form') {
    const { text, label, path } = pages[topic];
    return [say(text), { kind: 'link', label, path }];
  }
  const path = await tools.formPath();
  if (path === null) {
    return [
      say('Your form has no address yet. Choose one first.'),
      { kind: 'link', label: 'Set up', path: '/profile/brand' },
    ];
  }
  return [
    say('Customers send you jobs through your form. Open it to see what they see, and share its address.'),
    { kind: 'link', label: 'Your job form', path },
  ];
}

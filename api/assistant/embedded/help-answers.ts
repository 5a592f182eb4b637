import type { JobTools, Piece } from '#api/assistant/assistant.ts';
import { product } from '#core/values/product.ts';
import type { Topic } from './intent.ts';

/** A piece of plain text. */
export function say(text: string): Piece {
  return { kind: 'text', text };
}

const examples =
  'I can tell you what’s on any day or week, what’s new, who has been waiting longest, what needs a quote or is unpaid, and what you quoted or finished when. I can find a job by name, words or suburb, write a note on it, and get it ready to accept, reject or mark.';

/** What the assistant can answer, for who asks, or asked something else. */
export function helpPieces(kind: 'help' | 'unknown'): Piece[] {
  return kind === 'help' ? [say(examples)] : [say('I don’t know that one.'), say(examples)];
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

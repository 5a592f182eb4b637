import { listInWords } from '#site/lib/form.ts';

/** What of an account waits in this browser and goes with its logout; drafts by the forms that they are of. */
export type WhatWaits = Readonly<{ changes: number; photos: number; drafts: readonly string[] }>;

/** The question that a logout asks about it. */
export type LossQuestion = Readonly<{ title: string; texts: readonly string[]; leave: string }>;

/** How a draft is called, by its form. */
const draftNames: Readonly<Record<string, string>> = {
  ...{ job: 'a new job', notes: 'notes on a job', 'business-details': 'your business details' },
  ...{ intro: 'your introduction', 'new-email': 'a new email address', 'new-phone': 'a new mobile number' },
};

/** The question about all that waits, counted by kind; null where nothing does. */
export function lossInWords({ changes, photos, drafts }: WhatWaits): LossQuestion | null {
  const counts = [counted(changes, 'change'), counted(photos, 'photo'), counted(drafts.length, 'draft')];
  const total = changes + photos + drafts.length;
  if (total === 0) return null;
  const isOne = total === 1;
  const toSend = changes + photos;
  return {
    title: `${listInWords(counts.filter((text) => text !== ''))} ${isOne ? 'is' : 'are'} not ${toSend > 0 ? 'sent' : 'saved'} yet`,
    texts: [
      `${isOne ? 'It is' : 'They are'} lost if you log out. ${stay({ changes, photos, drafts })}`,
      ...(drafts.length > 0
        ? [`${drafts.length === 1 ? 'The draft' : 'The drafts'}: ${listInWords(drafts.map(nameOf))}.`]
        : []),
    ],
    leave: `Log out and lose ${isOne ? 'it' : 'them'}`,
  };
}

function stay({ changes, photos, drafts }: WhatWaits): string {
  const toSend = changes + photos;
  if (toSend === 0) return `Stay, and you can finish ${drafts.length === 1 ? 'it' : 'them'}.`;
  const kinds = [changes > 0 ? 'changes' : '', photos > 0 ? 'photos' : ''].filter((text) => text !== '');
  const who = drafts.length > 0 ? listInWords(kinds) : toSend === 1 ? 'it' : 'they';
  const go = who === 'it' ? 'goes by itself' : 'go by themselves';
  return `Stay, and ${who} ${go} when the signal is back.`;
}

function nameOf(form: string): string {
  return draftNames[form.split(':')[0] ?? ''] ?? 'something you typed';
}

function counted(count: number, kind: string): string {
  if (count === 0) return '';
  return count === 1 ? `1 ${kind}` : `${count} ${kind}s`;
}

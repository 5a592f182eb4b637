import type { CheckedRecord } from './check.ts';

/** What the outcome of a check means, in plain words: a title, and what to make of it. */
export function verdictWords({ outcome, vouched, record }: CheckedRecord): Readonly<{
  title: string;
  advice: string;
}> {
  const count = record?.events.length ?? 0;
  switch (outcome) {
    case 'fits':
      return { title: 'This record fits', advice: 'What you have from elsewhere backs up all of it.' };
    case 'fits-in-part':
      return {
        title: 'Only part of this record is backed up',
        advice: `${
          vouched === count
            ? `${count === 1 ? 'Its one event is' : `All ${count} events are`} in the log that you know. That nothing came after, and what else the file says,`
            : `What you have backs up the first ${vouched === 1 ? 'event' : `${vouched} events`}. What came after`
        } is only the word of the key in this file, and a key is easily made. A newer checkpoint backs up more; the whole key of the log, all of it.`,
      };
    case 'fits-itself':
      return {
        title: 'Nothing backs this record up yet',
        advice:
          'It fits together, but so would a made-up one. Add something about it that you got elsewhere: your receipt, a checkpoint that was mailed to you, or the whole key of the log.',
      };
    case 'does-not-fit':
      return { title: 'This record does not fit', advice: 'Do not rely on it. What is wrong stands first.' };
  }
}

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jobStatuses, workingStatuses } from '#core/job/status/statuses.ts';
import { evolveJobDetails, existingJob, type JobDetails, jobCardView, jobView } from '#core/job/view.ts';
import { hiddenContact } from '#core/values/contact-in-text.ts';
import { jobIn } from '#tests/support/scenarios/deciders.ts';
import { cardWords } from './card-words.ts';

const details = (changes: Partial<JobDetails>): JobDetails => ({
  ...existingJob(jobIn('Pending').reduce<JobDetails | null>(evolveJobDetails, null)),
  ...changes,
});
const surroundings = { mediaUrl: () => '/file', thumbnailUrl: () => '/small', contact: null };
/** Of the card in a list, and of the job's page, from which cards are shown too. */
const shownOf = (job: JobDetails) =>
  [jobCardView({ ...job, ...cardWords(job), pictures: 0, cover: null }), jobView(job, surroundings)].map(
    ({ words, preferredTime }) => ({ words, preferredTime }),
  );
const both = <Shown>(shown: Shown) => [shown, shown];

const filler = fc
  .tuple(fc.constantFrom('a', 'tap ', 'leak, \n', 'ō '), fc.nat(180))
  .map(([word, length]) => word.repeat(length).slice(0, length));
const contact = fc.constantFrom(
  ...['0491 570 156', '0491570156', '+61 491 570 156', '(0491) 570-156', '0491\n570\n156', '03 9123 4567'],
  ...[
    '021 123 4567',
    '1300 654 321',
    '０４９１ ５７０ １５６',
    '0491\u200b570\u200b156',
    '0 4 9 1 5 7 0 1 5 6',
  ],
  ...['ZED@YYY.example', 'https://ZED.example/YYY', 'ZED (at) YYY (dot) com'],
);

test('contact that the cut of a card would halve is hidden, wherever it stands', () => {
  fc.assert(
    fc.property(filler, contact, filler, (before, reached, after) => {
      const typed = `${before} ${reached} ${after}`;
      for (const { words, preferredTime } of shownOf(details({ description: typed, wishedTime: typed }))) {
        expect(`${words} ${preferredTime}`).not.toMatch(/[\p{Nd}@ZY]/u);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a card has two lines of what the customer wrote, and when it suits them', () => {
  const said = details({ description: 'The hot tap\n\nwill not close.', wishedTime: ' Any\tmorning ' });
  expect(shownOf(said)).toEqual(both({ words: 'The hot tap will not close.', preferredTime: 'Any morning' }));
  const long = details({ description: 'tap '.repeat(500), wishedTime: 'soon '.repeat(40) });
  const shown = { words: `${'tap '.repeat(35).trim()}…`, preferredTime: `${'soon '.repeat(12).trim()}…` };
  expect(shownOf(long)).toEqual(both(shown));
  const asked = details({ description: 'Ring 0491 570 156', wishedTime: '' });
  expect(shownOf(asked)).toEqual(both({ words: `Ring ${hiddenContact}`, preferredTime: undefined }));
});

test.each(jobStatuses)('only a job that is not accepted has them: %s', (status) => {
  const has = !(workingStatuses as readonly string[]).includes(status);
  for (const shown of shownOf(details({ status }))) {
    expect(Object.values(shown).every((text) => (text !== undefined) === has)).toBe(true);
  }
});

test('a customer who was removed has none', () => {
  const erased = details({ erasedAt: '2026-11-20T00:00:00.000Z', description: '[erased]' });
  expect(cardWords(erased)).toEqual({ words: '', preferredTime: '' });
});

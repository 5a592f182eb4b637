import { expect, test } from 'vitest';
import { lossInWords } from './what-waits.ts';

const none = { changes: 0, photos: 0, drafts: [] };

test('where nothing waits nothing is asked', () => {
  expect(lossInWords(none)).toBeNull();
});

test.each([
  [
    { changes: 1 },
    '1 change is not sent yet',
    ['It is lost if you log out. Stay, and it goes by itself when the signal is back.'],
    'Log out and lose it',
  ],
  [
    { photos: 3 },
    '3 photos are not sent yet',
    ['They are lost if you log out. Stay, and they go by themselves when the signal is back.'],
    'Log out and lose them',
  ],
  [
    { drafts: ['job'] },
    '1 draft is not saved yet',
    ['It is lost if you log out. Stay, and you can finish it.', 'The draft: a new job.'],
    'Log out and lose it',
  ],
  [
    { changes: 2, photos: 1, drafts: ['notes:j1', 'another'] },
    '2 changes, 1 photo and 2 drafts are not sent yet',
    [
      'They are lost if you log out. Stay, and changes and photos go by themselves when the signal is back.',
      'The drafts: notes on a job and something you typed.',
    ],
    'Log out and lose them',
  ],
  [
    { photos: 1, drafts: ['business-details'] },
    '1 photo and 1 draft are not sent yet',
    [
      'They are lost if you log out. Stay, and photos go by themselves when the signal is back.',
      'The draft: your business details.',
    ],
    'Log out and lose them',
  ],
])('%j is one question', (waiting, title, texts, leave) => {
  expect(lossInWords({ ...none, ...waiting })).toEqual({ title, texts, leave });
});

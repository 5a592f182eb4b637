import { expect, test } from 'vitest';
import { readFile } from './record-file.ts';

const record = {
  made: { at: '2026-11-23T00:00:00.000Z' },
  log: { origin: 'jobs.example.com/log', vkeys: ['key'] },
  checkpoint: 'jobs.example.com/log\n7\nroot\n',
  files: [
    { id: 'plan', name: 'plan.pdf', sha256: 'ab' },
    { id: 'gone', name: 'gone.pdf', sha256: null },
  ],
  events: [
    { type: 'JobRequested', data: {} },
    { type: 'JobPhotoAdded', data: { photoId: 'photo', sha256: Buffer.alloc(32, 9).toString('base64') } },
  ],
};

test('a file of a record has the hashes of the files of the customer and of the photos of the work', () => {
  const { hashes, log } = readFile('job.json', JSON.stringify(record));
  expect(Object.fromEntries(hashes)).toEqual({ plan: 'ab', photo: '09'.repeat(32) });
  expect(log).toMatchObject({ size: '7', root: 'root' });
});

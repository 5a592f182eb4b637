import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { askKel, exchange } from '#tests/support/scenarios/assistant.ts';
import { aNewJob, requestedJob } from '#tests/support/scenarios/job-requests.ts';

/** Friday, half past nine in Melbourne. */
const now = () => new Date('2026-11-19T22:30:00Z');
let app: TestApp;
let acme: SignedIn;
let other: SignedIn;
beforeAll(async () => {
  app = await testApp({ now });
  acme = await app.signIn();
  other = await app.signIn();
});
afterAll(() => app?.close());

/** Asks one thing after another, as a page does. */
async function talk(owner: SignedIn, ...questions: readonly string[]) {
  const earlier: ReturnType<typeof exchange>[] = [];
  let answer = null as Awaited<ReturnType<typeof askKel>> | null;
  for (const question of questions) {
    answer = await askKel(app, owner, question, earlier.slice(-6));
    earlier.push(exchange(question, answer));
  }
  if (!answer) throw new Error('nothing was asked');
  return answer;
}

test('a job that was found is accepted, rung and noted as "it"', async () => {
  const id = await requestedJob(app, acme, {
    title: 'Leaking tap',
    name: 'Aroha Ngata',
    phone: '0491570159',
  });
  const accepted = await talk(acme, 'find leaking tap', 'accept it');
  expect(accepted.pieces.at(-1)).toMatchObject({ proposal: { jobId: id, change: { kind: 'accept' } } });
  const hidden = await talk(acme, 'find leaking tap', 'and the phone?');
  expect(hidden.said).toBe('You see how to reach Aroha Ngata once you accept “Leaking tap”.');
  await acme.put(`/api/jobs/${id}/accept`, {});
  await app.settle();
  expect((await talk(acme, 'find leaking tap', 'cheers', 'and the phone?')).said).toContain('0491 570 159');
  expect((await talk(acme, 'find leaking tap', "what's the address?")).said).toContain('22/140 Lygon St');
  const noted = await talk(acme, 'find leaking tap', 'note: bring the ladder');
  expect(noted.pieces.at(-1)).toMatchObject({
    proposal: { jobId: id, change: { notes: 'bring the ladder' } },
  });
  expect((await talk(acme, 'find leaking tap', 'yes')).said).toContain('Press the button');
});

test('another day is asked what the last one was', async () => {
  const add = (title: string, scheduledAt: string) => acme.post('/api/jobs', aNewJob({ title, scheduledAt }));
  await add('Early boiler', '2026-11-20T23:00:00Z');
  await add('Late boiler', '2026-11-23T04:30:00Z');
  await app.settle();
  expect((await talk(acme, 'what’s on tomorrow?', 'what about Monday?')).titles).toEqual(['Late boiler']);
  expect((await talk(acme, 'what’s on Monday?', 'and tomorrow morning?')).titles).toEqual(['Early boiler']);
  expect((await talk(acme, 'find late boiler', 'when is it?')).said).toMatch(
    /^“Late boiler” for Moana Rangi in Brunswick VIC: To quote, booked for Mon 23 Nov, 3:30PM\. Reference [0-9A-Z]{6}\.$/,
  );
  expect((await talk(acme, 'what’s on Monday?', 'and in the morning?')).said).toContain('Nothing is booked');
});

test('of several the one that is named by its place; without any, which is asked', async () => {
  await acme.post('/api/jobs', aNewJob({ title: 'Gutter one' }));
  await acme.post('/api/jobs', aNewJob({ title: 'Gutter two' }));
  await app.settle();
  const second = await talk(acme, 'find gutter', 'mark the second one as quoted');
  expect(second.pieces.at(-1)).toMatchObject({ proposal: { title: 'Gutter one' } });
  const several = await talk(acme, 'find gutter', 'mark it as quoted');
  expect(several.titles).toEqual(['Gutter two', 'Gutter one']);
  expect((await talk(acme, 'mark it as quoted')).said).toBe(
    'Which job? Say whose it is, or some of its title.',
  );
});

test('ids that a browser tells are worth nothing in another business', async () => {
  const id = await requestedJob(app, acme, { title: 'Private tap', name: 'Wiremu Secret' });
  const stranger = [{ question: 'find tap', answer: 'Here.', jobs: [id] }];
  for (const question of ['accept it', 'and the phone?', 'and the address?', 'open it', 'note: gone']) {
    const { said, pieces, text } = await askKel(app, other, question, stranger);
    expect(said, question).toBe('I cannot find that job any more.');
    expect(pieces, question).toHaveLength(1);
    expect(text, question).not.toMatch(/Private|Wiremu|Lygon/);
  }
});

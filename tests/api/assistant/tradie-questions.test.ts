import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobReference } from '#core/values/job-form.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { askKel } from '#tests/support/scenarios/assistant.ts';
import { aNewJob, requestedJob } from '#tests/support/scenarios/job-requests.ts';

/** Friday, half past nine in Melbourne. */
let now = new Date('2026-11-19T22:30:00Z');
let app: TestApp;
let acme: SignedIn;
const ids: Record<string, string> = {};
beforeAll(async () => {
  app = await testApp({ now: () => now });
  acme = await app.signIn();
  const add = async (key: string, job: Parameters<typeof aNewJob>[0], status?: string) => {
    const { body } = await acme.post('/api/jobs', aNewJob(job));
    ids[key] = body.job.id;
    if (status) await acme.put(`/api/jobs/${ids[key]}`, { status });
  };
  const fitzroy = '12 Smith Street, Fitzroy VIC 3065';
  await add('priya', {
    ...{ name: 'Priya Raman', title: 'Blocked sink', scheduledAt: '2026-11-23T22:00:00.000Z' },
    ...{ address: fitzroy, phone: '0491570157' },
  });
  await add('today', { name: 'Dave Lee', title: 'Hot water', scheduledAt: '2026-11-20T03:00:00.000Z' });
  await add('early', { name: 'Ana Tui', title: 'Gas fitting', scheduledAt: '2026-11-19T22:30:00.000Z' });
  await add('invoiced', { name: 'Sal Fono', title: 'Gutter' }, 'Invoice sent');
  await add('completed', { name: 'Noor Aziz', title: 'Downpipe' }, 'Completed');
  await add('unscheduled', { name: 'Liam O’Brien', title: 'New bathroom' });
  ids.lead = await requestedJob(app, acme, { name: 'Grace Kim', title: 'Burst pipe', isUrgent: true });
  await app.settle();
  // Two hours on: the job of half past nine should be done.
  now = new Date('2026-11-20T00:40:00Z');
});
afterAll(() => app?.close());

type Answer = Awaited<ReturnType<typeof askKel>>;
const proposed = ({ pieces }: Answer) => pieces.find((piece) => piece.kind === 'proposal')?.proposal;
const link = ({ pieces }: Answer) => pieces.find((piece) => piece.kind === 'link')?.path;

/** Of each question: a part of what is said, the titles of the rows, and the change that is offered. */
const questions: readonly (readonly [string, RegExp, readonly string[], object | null])[] = [
  ['what’s on today?', /^Two jobs today/, ['Gas fitting', 'Hot water'], null],
  ["what's on monday", /Nothing is booked on Monday/, [], null],
  ['any new jobs?', /^One job is waiting on your answer/, ['Burst pipe'], null],
  ['anything urgent?', /^One urgent job\. Grace Kim.* waits for your answer/, ['Burst pipe'], null],
  ["who's been waiting longest?", /^Grace Kim/, ['Burst pipe'], null],
  [
    "who hasn't paid?",
    /Sal Fono\. Completed, no invoice sent yet: Noor Aziz\./,
    ['Gutter', 'Downpipe'],
    null,
  ],
  ['who owes me money', /^Invoice sent, not paid yet: Sal Fono/, ['Gutter', 'Downpipe'], null],
  ['what’s overdue?', /^One job should be done by now/, ['Gas fitting'], null],
  ["what's next?", /^Next is “Hot water”/, ['Hot water'], null],
  ['jobs in Fitzroy', /Priya Raman in Fitzroy/, ['Blocked sink'], null],
  ['what’s Priya’s number', /0491 570 157/, ['Blocked sink'], null],
  ["what's the address for Priya", /12 Smith Street/, ['Blocked sink'], null],
  ['find obrien', /Liam O’Brien/, ['New bathroom'], null],
  ['mark Sal as paid', /Shall I\?/, [], { kind: 'status', status: 'Paid' }],
  ['accept the burst pipe', /Shall I\?/, [], { kind: 'accept' }],
  [
    'note for Priya: bring the ladder',
    /bring the ladder/,
    [],
    { kind: 'notes', notes: 'Key under the mat\nbring the ladder' },
  ],
  [
    'move Priya to Friday 2pm',
    /move it from Tue 24 Nov, 9:00AM to Fri 20 Nov, 2:00PM\? You have “Hot water” for Dave Lee then already/,
    [],
    { kind: 'schedule', scheduledAt: '2026-11-20T03:00:00.000Z' },
  ],
  ['reschedule Priya to next Tuesday', /That is when it is/, ['Blocked sink'], null],
  [
    'push Priya to 3',
    /to Tue 24 Nov, 3:00PM/,
    [],
    { kind: 'schedule', scheduledAt: '2026-11-24T04:00:00.000Z' },
  ],
  [
    'book Liam in for Monday at 10:30',
    /“New bathroom” for Liam O’Brien: move it to Mon 23 Nov, 10:30AM\?/,
    [],
    { kind: 'schedule', scheduledAt: '2026-11-22T23:30:00.000Z' },
  ],
  ['move Liam to Monday', /^What time on that day\?/, [], null],
  ['move Liam to Monday 7am', /^Choose a time from 8:00AM to 5:30PM/, [], null],
  ['move Grace to Monday 9am', /waiting on your answer/, ['Burst pipe'], null],
  ["cancel Priya's job", /Shall I\?/, [], { kind: 'status', status: 'Unsuccessful' }],
  ['text Priya that I’m running late', /^I can’t do that yet/, ['Blocked sink'], null],
  ['send Sal an invoice', /^I can’t do that yet/, ['Gutter'], null],
  ['delete the gutter job', /^I can’t do that yet/, ['Gutter'], null],
  ['remind me to call Priya tomorrow', /^I can’t do that yet/, ['Blocked sink'], null],
  ['move tomorrow’s jobs to Monday', /^I can’t do that yet/, [], null],
];

test.each(questions)('%s', async (question, said, titles, change) => {
  const answer = await askKel(app, acme, question);
  expect(answer.said).toMatch(said);
  expect(answer.titles).toEqual(titles);
  expect(proposed(answer)?.change ?? null).toEqual(change);
});

test('a job is found by its reference, with a word for it or alone', async () => {
  const reference = jobReference(ids.priya ?? '');
  expect((await askKel(app, acme, `reference ${reference}`)).said).toContain(`Reference ${reference}.`);
  expect((await askKel(app, acme, `find ref ${reference.toLowerCase()}`)).titles).toEqual(['Blocked sink']);
});

test('a job to add opens the form, filled with what was said', async () => {
  expect(link(await askKel(app, acme, 'add a job'))).toBe('/jobs/add');
  const path = link(
    await askKel(app, acme, 'add a job for Mele Vea on 0491 570 159 tomorrow at 2pm: leaking tap'),
  );
  const [page, filled] = path?.split('#') ?? [];
  expect(page).toBe('/jobs/add');
  expect(Object.fromEntries(new URLSearchParams(filled))).toEqual({
    ...{ name: 'Mele Vea', phone: '0491 570 159', title: 'Leaking tap' },
    ...{ day: '2026-11-21', slot: '14:00' },
  });
});

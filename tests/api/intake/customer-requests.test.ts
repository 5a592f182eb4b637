import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { carryOutDue } from '#api/privacy/due-erasures.ts';
import { followRequests, requestGauges } from '#api/privacy/your-details/removal-requests.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { type JobCommand, jobDecider } from '#core/job/job.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import type { SignedIn } from '#tests/support/app/api.ts';
import { detailsPathIn, type MessageApp, messageApp, sentMail } from '#tests/support/app/messages.ts';
import { erasing } from '#tests/support/scenarios/erasing.ts';
import { requestedJob } from '#tests/support/scenarios/job-requests.ts';

let app: MessageApp;
let dave: SignedIn;
let customer: string;
let count = 0;
beforeAll(async () => {
  app = await messageApp();
});
beforeEach(async () => {
  dave = await app.signIn();
  count += 1;
  customer = `asking${count}@example.com`;
});
afterAll(() => app?.close());

/** An accepted job, unless it is to wait, and the path of the API behind "Your details" of its receipt. */
async function aJob({ isAccepted = true } = {}) {
  const jobId = await requestedJob(app, dave, { email: customer });
  await app.settle();
  const [receipt] = await sentMail(app, customer);
  if (isAccepted) await dave.put(`/api/jobs/${jobId}/accept`);
  return { jobId, path: `/api${detailsPathIn(receipt ?? { text: '' })}` };
}

/** As a process would that dies right after the append: the event alone. */
async function append(jobId: string, type: JobCommand['type'], data = {}, actor = 'customer') {
  const at = app.deps.now().toISOString();
  const command = { type, at, data: { jobId, businessId: dave.businessId, ...data } } as JobCommand;
  const cause = { commandId: crypto.randomUUID(), actor, correlation: 'test' };
  await handleCommand(app.deps.store, jobDecider, streamName('job', jobId), command, cause);
}

test('a customer whose details stay reads why, until which day, and where to complain', async () => {
  const { jobId } = await aJob();
  await append(jobId, 'AskForRemoval');
  const until = '2033-11-20T01:00:00.000Z';
  await append(jobId, 'RefuseRemoval', { reason: 'guarantee', until }, `account:${dave.accountId}`);
  await app.settle();
  const mail = (await sentMail(app, customer)).find(({ text }) => text.includes('Your details stay for now'));
  expect(mail?.text).toContain('They keep them, because a guarantee or warranty for the work still runs.');
  expect(mail?.text).toContain('removed automatically on Sun, 20 Nov 2033');
  expect(mail?.text).toContain(
    'the Office of the Australian Information Commissioner: https://www.oaic.gov.au/',
  );
  const token = /\/your-details\/(\S+)/.exec(mail?.text ?? '')?.[1];
  expect((await app.get(`/api/your-details/${token}`)).status).toBe(200);
});

const days = (n: number) => app.pass(n * 24 * 60);
const follow = () => followRequests({ ...erasing(app).deps, db: app.deps.db });
const isErased = async (jobId: string) =>
  (await app.deps.store.readStream(streamName('job', jobId))).some(
    ({ type }) => type === 'JobCustomerErased',
  );
const remindersTo = async (who: SignedIn) =>
  (await app.toldTo(who)).mail.filter((text) => text.includes('A customer is waiting for your answer'));

describe('what a customer asked for survives a process that dies', () => {
  test('right after the word of a customer whose job was never accepted', async () => {
    const { jobId, path } = await aJob({ isAccepted: false });
    await append(jobId, 'AskForRemoval');
    await app.settle();
    expect((await app.get(path)).body.held.removal).toEqual({ state: 'at-once' });
    await follow();
    await follow();
    expect((await app.get(path)).body.held.removal).toMatchObject({ state: 'planned', canKeep: true });
    // Taken back, it does not begin anew.
    expect((await app.post(path, { ask: 'keep' })).status).toBe(200);
    await app.settle();
    await follow();
    expect((await app.get(path)).body.held.removal).toEqual({ state: 'at-once' });
  });

  test('and a dispute, after which it goes on by itself', async () => {
    const { jobId, path } = await aJob({ isAccepted: false });
    const until = new Date(app.deps.now().getTime() + 3 * 86_400_000).toISOString();
    await append(jobId, 'OpenJobDispute', { until, reason: '' }, `account:${dave.accountId}`);
    expect((await app.post(path, { ask: 'removal' })).status).toBe(409);
    await app.settle();
    await follow();
    expect((await app.get(path)).body.held.removal).toEqual({ state: 'at-once' });
    days(4);
    await follow();
    expect((await app.get(path)).body.held.removal).toMatchObject({ state: 'planned' });
  });
});

describe('a business that was asked to remove details', () => {
  test('is reminded on days 7 and 14, and the operator is alarmed on day 20', async () => {
    const { jobId, path } = await aJob();
    expect((await app.post(path, { ask: 'removal' })).body.held.removal).toMatchObject({ state: 'asked' });
    expect((await dave.get(`/api/jobs/${jobId}`)).body.job).toMatchObject({
      removalAskedAt: app.deps.now().toISOString(),
    });
    const counts: number[] = [];
    for (const wait of [6, 1, 1, 6, 5]) {
      days(wait);
      await follow();
      await follow();
      counts.push((await remindersTo(dave)).length);
    }
    expect(counts).toEqual([0, 1, 1, 2, 2]);
    const unanswered = async () => {
      const [gauge] = requestGauges(app.deps);
      return (await gauge?.read())?.find(({ labels }) => labels?.['what'] === 'unanswered')?.value;
    };
    expect(await unanswered()).toBe(0);
    days(2);
    expect(await unanswered()).toBe(1);
    await append(jobId, 'RefuseRemoval', { reason: 'law', until: '2033-11-20T01:00:00.000Z' }, 'system');
    await app.settle();
    expect(await unanswered()).toBe(0);
  });

  test('keeps them for one of four reasons, until a day on which they go by themselves', async () => {
    const { jobId, path } = await aJob();
    const refuse = (reason: string) => dave.post(`/api/jobs/${jobId}/erasure/refusal`, { reason });
    expect((await refuse('guarantee')).status).toBe(409);
    await app.post(path, { ask: 'removal' });
    expect((await refuse('because')).status).toBe(422);
    expect((await refuse('guarantee')).body.job).not.toHaveProperty('removalAskedAt');
    expect((await refuse('guarantee')).status).toBe(200);
    const { removal } = (await app.get(path)).body.held;
    expect(removal).toMatchObject({ state: 'refused', reason: 'guarantee' });
    expect((await app.post(path, { ask: 'removal' })).body.message).toBe(
      'The business answered that it keeps the details',
    );
    const { history } = (await dave.get(`/api/jobs/${jobId}/history`)).body;
    expect(history[0].text).toBe('You answered that the details stay');
    await app.settle();
    expect((await sentMail(app, customer)).filter(({ text }) => text.includes('stay for now'))).toHaveLength(
      1,
    );

    await follow();
    expect(await isErased(jobId)).toBe(false);
    days((Date.parse(removal.until) - app.deps.now().getTime()) / 86_400_000 + 1);
    await follow();
    await carryOutDue(erasing(app).deps);
    expect(await isErased(jobId)).toBe(true);
  });

  test('may keep them after it had answered by a removal, for a reason', async () => {
    const { jobId, path } = await aJob();
    await app.post(path, { ask: 'removal' });
    await dave.post(`/api/jobs/${jobId}/erasure`, { others: [] });
    expect((await dave.delete(`/api/jobs/${jobId}/erasure`)).status).toBe(409);
    const { body } = await dave.post(`/api/jobs/${jobId}/erasure/refusal`, { reason: 'unfinished' });
    expect(body.job).not.toHaveProperty('erasureDueAt');
    expect((await app.get(path)).body.held.removal).toMatchObject({ state: 'refused' });
  });
});

describe('a correction', () => {
  test('that is refused stays with the job as a statement, and the customer is notified', async () => {
    const { jobId, path } = await aJob();
    await app.post(path, { ask: 'correction', text: 'My name is Arohanui' });
    await app.settle();
    const asked = (await dave.get(`/api/jobs/${jobId}/history`)).body.history[0].revision;
    const answer = (value: string, of = asked) =>
      dave.put(`/api/jobs/${jobId}/corrections/${of}`, { answer: value });
    expect((await answer('agreed', 0)).status).toBe(404);
    expect((await dave.put(`/api/jobs/${jobId}/corrections/x`, { answer: 'agreed' })).status).toBe(404);
    expect((await answer('refused')).status).toBe(200);
    expect((await app.get(path)).body.held.corrections).toMatchObject([
      { text: 'My name is Arohanui', answer: 'refused' },
    ]);
    await app.settle();
    const [mail] = (await sentMail(app, customer)).filter(({ text }) => text.includes('as your statement'));
    expect(mail?.text).toContain('You can also complain to');
    expect(mail?.text).not.toContain('Arohanui');
    expect((await answer('agreed')).status).toBe(200);
    expect((await app.get(path)).body.held.corrections).toMatchObject([{ answer: 'agreed' }]);
  });
});

describe('details that are corrected', () => {
  const details = {
    ...{ name: ' Arohanui  Tāwhiri ', email: 'New@Example.com', phone: '0491 570 158' },
    address: '7 Mill St, Thornbury VIC 3071',
  };
  async function anAskedJob(isAccepted = true) {
    const { jobId, path } = await aJob({ isAccepted });
    await app.post(path, { ask: 'correction', text: 'I am Arohanui' });
    await app.settle();
    const { history } = (await dave.get(`/api/jobs/${jobId}/history`)).body;
    const asked = history.find(({ what }: { what: string }) => what === 'correction-asked').revision;
    const correct = (more: object = {}) =>
      dave.put(`/api/jobs/${jobId}/corrections/${asked}`, {
        ...{ answer: 'agreed', details: { ...details, ...more } },
      });
    return { jobId, path, correct };
  }

  test('need both numbers of a point, or neither', async () => {
    const { correct } = await anAskedJob();
    expect(await correct({ lat: -37.77 })).toMatchObject({ status: 422 });
    expect(await correct({ lat: -37.77, lng: 144.97 })).toMatchObject({ status: 200 });
  });

  test('are shown everywhere from then on, and how the job came stays in its history', async () => {
    const { jobId, path, correct } = await anAskedJob();
    const place = (await dave.get(`/api/jobs/${jobId}`)).body.job.location;
    const same = await correct({ address: place.address });
    expect(same.body.job.location).toEqual(place);
    const { status, body } = await correct();
    expect(status).toBe(200);
    const after = {
      ...{ name: 'Arohanui Tāwhiri', email: 'new@example.com', phone: '+61491570158' },
      location: { address: details.address, placeId: null, lat: null, lng: null },
    };
    expect(body.job).toMatchObject(after);
    await app.settle();
    const found = async (search: string) => (await dave.get(`/api/jobs?search=${search}`)).body.jobs;
    expect(await found('Arohanui')).toMatchObject([{ id: jobId, ...after }]);
    expect(await found('491570158')).toHaveLength(1);
    const { held } = (await app.get(path)).body;
    expect(held.rows).toContainEqual({ label: 'Name', value: 'Arohanui Tāwhiri' });
    expect(held.corrections).toMatchObject([{ answer: 'agreed' }]);
    const [mail] = (await sentMail(app, 'new@example.com')).filter(({ text }) => text.includes('agrees to'));
    expect(mail?.text).toContain('Your details as they are held now are behind the link.');

    const before = (await dave.get(`/api/jobs/${jobId}/history`)).body.history;
    expect(before.map(({ what }: { what: string }) => what).slice(0, 3)).toEqual([
      ...['details-corrected', 'correction-agreed', 'details-corrected'],
    ]);
    expect(JSON.stringify(before)).not.toContain('new@example.com');
    await correct();
    expect((await dave.get(`/api/jobs/${jobId}/history`)).body.history).toHaveLength(before.length);
    expect((await dave.get(`/api/jobs/${jobId}?at=0`)).body.job).toMatchObject({ name: 'Aroha Tāwhiri' });
  });

  test('are checked as those of a new job, and changed by no business that does not see them', async () => {
    const { jobId, correct } = await anAskedJob(false);
    expect((await correct()).status).toBe(409);
    await dave.put(`/api/jobs/${jobId}/accept`);
    for (const wrong of [
      { name: ' ' },
      { email: 'x' },
      { phone: '123' },
      { address: '' },
      { status: 'Paid' },
    ])
      expect((await correct(wrong)).status, JSON.stringify(wrong)).toBe(422);
    const refused = { answer: 'refused', details };
    expect((await dave.put(`/api/jobs/${jobId}/corrections/1`, refused)).status).toBe(422);
    expect((await dave.put(`/api/jobs/${jobId}/corrections/0`, { answer: 'agreed', details })).status).toBe(
      404,
    );
    expect((await dave.get(`/api/jobs/${jobId}`)).body.job).toMatchObject({ name: 'Aroha Tāwhiri' });
  });
});

test('one link is pressed sixty times in an hour at most, and another is free of that', async () => {
  const limited = await messageApp({ env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1' } });
  try {
    const owner = await limited.signIn();
    const links: string[] = [];
    for (const email of ['first@example.com', 'second@example.com']) {
      await requestedJob(limited, owner, { email });
      await limited.settle();
      const [receipt] = await sentMail(limited, email);
      links.push(`/api${detailsPathIn(receipt ?? { text: '' })}`);
    }
    const [first, second] = links as [string, string];
    // From many networks: what one client may do is limited apart.
    const press = (path: string, n: number) =>
      limited.post(path, { ask: 'keep' }, { 'x-forwarded-for': `203.0.${n}.7` });
    for (let n = 0; n < 60; n += 1) expect((await press(first, n)).status).toBe(200);
    expect((await press(first, 60)).status).toBe(429);
    expect((await press(second, 61)).status).toBe(200);
  } finally {
    await limited.close();
  }
});

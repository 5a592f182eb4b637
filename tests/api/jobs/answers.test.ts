import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EventStoreUnavailableError } from '#core/event-store/errors.ts';
import type { SignedIn } from '#tests/support/app/api.ts';
import { detailsPathIn, linkIn, type MessageApp, messageApp, sentMail } from '#tests/support/app/messages.ts';
import { requestedJob } from '#tests/support/scenarios/job-requests.ts';

let app: MessageApp;
let dave: SignedIn;
/** The log takes nothing. */
let isUnavailable = false;
beforeAll(async () => {
  app = await messageApp({
    store: (store) => ({
      ...store,
      append: (...args) =>
        isUnavailable ? Promise.reject(new EventStoreUnavailableError('away')) : store.append(...args),
    }),
  });
});
beforeEach(async () => {
  dave = await app.signIn();
});
afterAll(() => app.close());

/** A job that waits, and the path of the API behind the link in its alert. */
async function alerted(request = {}) {
  const id = await requestedJob(app, dave, request);
  const [mail] = (await sentMail(app, dave.email)).slice(-1);
  return { id, path: `/api${linkIn(mail as { text: string }).replace('/answer/', '/answers/')}` };
}

const eventsOf = async (id: string) => (await app.deps.store.readStream(`job-${id}`)).map(({ type }) => type);

describe('the link in an alert', () => {
  test('shows what it takes to decide, to any holder, and nothing by which the customer is reached', async () => {
    const title = 'Leaking mixer, ring 0491 570 156';
    const { id, path } = await alerted({ title, wishedTime: 'Any morning', isUrgent: true });
    const { status, body, text, headers } = await app.get(path);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ business: 'Acme Plumbing', timeZone: 'Australia/Melbourne', state: 'open', answer: null },
      job: { name: 'Aroha Tāwhiri', suburb: 'Brunswick East VIC', when: 'Any morning', isUrgent: true },
      region: 'au',
      jobUrl: `/jobs/details/${id}`,
      expiresAt: new Date(app.deps.now().getTime() + 3 * 86_400_000).toISOString(),
    });
    expect(headers.get('cache-control')).toContain('no-store');
    for (const hidden of ['aroha.t@example.com', '491 570 156', '491570156', 'Lygon'])
      expect(text).not.toContain(hidden);
  });

  test('shows a name, a message and answers without the contact that was typed into them, whatever comes of the job', async () => {
    dave = await app.signIn({ trades: ['plumbing'] });
    const said = (text: string) => `${text} 0491 570 157 or aroha@elsewhere.example`;
    const question = { trade: 'plumbing', question: 'Which tap?', seq: 1 };
    const { id: questionId } = (await dave.post('/api/form', question)).body.question;
    const answers = [{ questionId, answer: said('The left') }];
    const texts = { name: said('Aroha'), description: said('It drips'), wishedTime: said('Any day') };
    const { id, path } = await alerted({ ...texts, answers });
    const shown = (text: string) => `${text} (hidden until you accept) or (hidden until you accept)`;
    const { job } = (await app.get(path)).body;
    expect(job).toMatchObject({
      ...{ name: shown('Aroha'), when: shown('Any day'), isScheduled: false },
      consumerJobDetails: { description: shown('It drips') },
      form: [{ question: 'Which tap?', answer: shown('The left') }],
    });
    await dave.put(`/api/jobs/${id}/accept`);
    const later = await app.get(path);
    expect(later.body.job).toEqual({ ...job, name: null });
    expect(later.text).not.toMatch(/570 157|elsewhere/);
  });

  test('names the customer while the job waits for it, and not once it was answered', async () => {
    const { path } = await alerted();
    const nameIn = async (answer: Promise<{ body: { job: object } }>) => (await answer).body.job;
    expect(await nameIn(app.get(path))).toMatchObject({ name: 'Aroha Tāwhiri' });
    expect(await nameIn(app.post(path, { answer: 'decline' }))).toMatchObject({ name: null });
    expect(await nameIn(app.post(path, { answer: 'undo' }))).toMatchObject({ name: null });
  });

  test('shows a customer whose details are to go as the job does: named, and without contact', async () => {
    const { id, path } = await alerted({ email: 'going@example.com' });
    const [receipt] = await sentMail(app, 'going@example.com');
    const asked = await app.post(`/api${detailsPathIn(receipt ?? { text: '' })}`, { ask: 'removal' });
    expect(asked.body.held.removal).toMatchObject({ state: 'planned' });
    const { name } = (await dave.get(`/api/jobs/${id}`)).body.job;
    const { body, text } = await app.get(path);
    expect(body.job).toMatchObject({ name, title: expect.any(String) });
    expect(text).not.toMatch(/going@example|491 ?570 ?156|Lygon/);
  });

  test('changes nothing by being read, by whatever method scanners read with', async () => {
    const { id, path } = await alerted();
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'GET']) await app.send(method, path);
    expect(await eventsOf(id)).toEqual(['JobRequested']);
  });

  test('a look by HEAD or by Range at the job itself is no opening of it', async () => {
    const { id } = await alerted();
    await dave.send('HEAD', `/api/jobs/${id}`);
    await dave.get(`/api/jobs/${id}`, { range: 'bytes=0-0' });
    expect(await eventsOf(id)).toEqual(['JobRequested']);
    await dave.get(`/api/jobs/${id}`);
    expect(await eventsOf(id)).toEqual(['JobRequested', 'JobOpened']);
  });

  test.each([
    ['accept', 'To quote', 'JobAccepted'],
    ['decline', 'Rejected', 'JobRejected'],
  ])('lets the tradie %s the job without signing in', async (answer, status, event) => {
    const { id, path } = await alerted();
    const answered = await app.post(path, { answer });
    expect(answered.status).toBe(200);
    expect(answered.body).toMatchObject({ state: 'answered', answer });
    expect(answered.text).not.toContain('aroha.t@example.com');
    expect((await dave.get(`/api/jobs/${id}`)).body.job.status).toBe(status);
    expect(await eventsOf(id)).toEqual(['JobRequested', event]);
    const { history } = (await dave.get(`/api/jobs/${id}/history`)).body;
    expect(history[0].who).toMatchObject({ kind: 'you' });
  });

  test('acts once under 20 presses at once, and both answers never count together', async () => {
    const { id, path } = await alerted();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => app.post(path, { answer: n % 2 ? 'accept' : 'decline' })),
    );
    const given = answers.filter(({ status }) => status === 200).map(({ body }) => body.answer);
    expect(new Set(given).size).toBe(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(await eventsOf(id)).toHaveLength(2);
  });

  test('answers the same again when the first answer was lost, and refuses the other one', async () => {
    const { id, path } = await alerted();
    const first = await app.post(path, { answer: 'accept' });
    expect((await app.post(path, { answer: 'accept' })).body).toEqual(first.body);
    const other = await app.post(path, { answer: 'decline' });
    expect([other.status, other.body.message]).toEqual([409, 'You have already answered with this link']);
    expect(await eventsOf(id)).toHaveLength(2);
  });

  test('is as good as before when the log was unavailable', async () => {
    const { id, path } = await alerted();
    isUnavailable = true;
    expect((await app.post(path, { answer: 'accept' })).status).toBe(503);
    isUnavailable = false;
    expect((await app.get(path)).body.state).toBe('open');
    expect((await app.post(path, { answer: 'decline' })).body).toMatchObject({ answer: 'decline' });
    expect(await eventsOf(id)).toEqual(['JobRequested', 'JobRejected']);
  });

  test('is used up also when its answer was undone since', async () => {
    const { id, path } = await alerted();
    await app.post(path, { answer: 'accept' });
    const { job } = (await dave.get(`/api/jobs/${id}`)).body;
    expect((await dave.post(`/api/jobs/${id}/undo`, { revision: job.revision })).status).toBe(200);
    expect((await app.post(path, { answer: 'accept' })).body.state).toBe('answered');
    expect((await dave.get(`/api/jobs/${id}`)).body.job.status).toBe('Pending');
  });

  test('shows whom to ring for an hour after it accepted the job, and no one else', async () => {
    const { path } = await alerted();
    const accepted = await app.post(path, { answer: 'accept' });
    expect(accepted.body.contact).toEqual({
      ...{ name: 'Aroha Tāwhiri', phone: '+61491570156', address: expect.stringContaining('Lygon') },
    });
    app.pass(59);
    expect((await app.get(path)).body.contact).not.toBeNull();
    app.pass(1);
    expect((await app.get(path)).body.contact).toBeNull();
    const declined = await alerted();
    expect((await app.post(declined.path, { answer: 'decline' })).body.contact).toBeNull();
  });

  test('takes its answer back within a minute, once, and then shows nothing of the customer', async () => {
    const { id, path } = await alerted();
    expect((await app.post(path, { answer: 'undo' })).body.message).toBe('There is nothing to undo');
    expect((await app.post(path, { answer: 'accept' })).body.undoUntil).not.toBeNull();
    const undone = await app.post(path, { answer: 'undo' });
    expect(undone.body).toMatchObject({ state: 'answered', isUndone: true, contact: null, undoUntil: null });
    expect((await dave.get(`/api/jobs/${id}`)).body.job.status).toBe('Pending');
    expect((await app.post(path, { answer: 'undo' })).body).toEqual(undone.body);
    expect(await eventsOf(id)).toHaveLength(3);
  });

  test('takes nothing back after a minute', async () => {
    const { id, path } = await alerted();
    await app.post(path, { answer: 'decline' });
    app.pass(2);
    expect((await app.get(path)).body).toMatchObject({ undoUntil: null, isUndone: false });
    const late = await app.post(path, { answer: 'undo' });
    expect([late.status, late.body.message]).toEqual([409, 'It is too late to undo this']);
    expect((await dave.get(`/api/jobs/${id}`)).body.job.status).toBe('Rejected');
  });

  test('says why it was rejected, once or again with another reason, in the history', async () => {
    const { id, path } = await alerted();
    const declined = await app.post(path, { answer: 'decline' });
    expect(declined.body).toMatchObject({ rejection: { reason: null }, undoUntil: expect.any(String) });
    for (const reason of ['none', 'too-far', 'too-far']) {
      const explained = await app.post(path, { answer: 'decline', reason });
      expect(explained.body).toMatchObject({ rejection: { reason }, undoUntil: declined.body.undoUntil });
    }
    const explained = ['JobRejectionExplained', 'JobRejectionExplained'];
    expect(await eventsOf(id)).toEqual(['JobRequested', 'JobRejected', ...explained]);
    const { history } = (await dave.get(`/api/jobs/${id}/history`)).body;
    expect(history[0]).toMatchObject({ what: 'rejection-explained', to: 'too-far', who: { kind: 'you' } });
    expect((await app.post(path, { answer: 'undo' })).body).toMatchObject({
      isUndone: true,
      rejection: null,
    });
    const late = await app.post(path, { answer: 'decline', reason: 'too-far' });
    expect([late.status, late.body.message]).toEqual([409, 'This job is not rejected']);
  });

  test('rejects a job and says why at once; an acceptance has no reason', async () => {
    const { id, path } = await alerted();
    expect((await app.post(path, { answer: 'accept', reason: 'too-far' })).status).toBe(422);
    expect((await app.post(path, { answer: 'decline', reason: 'dunno' })).status).toBe(422);
    const declined = await app.post(path, { answer: 'decline', reason: 'booked-out' });
    expect(declined.body.rejection).toEqual({ reason: 'booked-out' });
    expect(await eventsOf(id)).toEqual(['JobRequested', 'JobRejected', 'JobRejectionExplained']);
  });

  test('does not overrule what was answered elsewhere', async () => {
    const { id, path } = await alerted();
    await dave.put(`/api/jobs/${id}/reject`);
    expect((await app.get(path)).body).toMatchObject({ state: 'closed', closedBecause: 'answered' });
    const late = await app.post(path, { answer: 'accept' });
    expect([late.status, late.body.message]).toEqual([409, 'This job was answered already']);
    expect(await eventsOf(id)).toEqual(['JobRequested', 'JobRejected']);
  });

  test('says when the job is not needed any more', async () => {
    const { path } = await alerted({ email: 'off@example.com' });
    const [receipt] = await sentMail(app, 'off@example.com');
    await app.post(`/api${linkIn(receipt as { text: string })}`);
    expect((await app.get(path)).body).toMatchObject({ state: 'closed', closedBecause: 'not-needed' });
    expect((await app.post(path, { answer: 'accept' })).body.message).toBe(
      'The customer no longer needs this job',
    );
  });

  test('answers its own job and no other', async () => {
    const other = await alerted();
    const { id, path } = await alerted();
    await app.post(path, { answer: 'accept' });
    expect(await eventsOf(id)).toContain('JobAccepted');
    expect(await eventsOf(other.id)).toEqual(['JobRequested']);
  });

  test('is nothing after three days, as if it had never been', async () => {
    const { id, path } = await alerted();
    app.pass(3 * 24 * 60 - 1);
    expect((await app.get(path)).status).toBe(200);
    app.pass(1);
    const answers = [await app.get(path), await app.post(path, { answer: 'accept' })];
    const unknown = await app.get(`/api/answers/${'A'.repeat(43)}`);
    expect(unknown.status).toBe(404);
    for (const { status, body } of answers)
      expect({ status, body: { ...body, ref: '' } }).toEqual({
        status: 404,
        body: { ...unknown.body, ref: '' },
      });
    expect(await eventsOf(id)).toEqual(['JobRequested']);
  });
});

test.each(['', 'x', '..', `${'A'.repeat(43)}=`, "'--", '%00', 'A'.repeat(4000)])(
  'a token %j opens nothing',
  async (token) => {
    for (const route of ['answers', 'not-needed']) {
      expect([400, 404, 414]).toContain((await app.get(`/api/${route}/${token}`)).status);
      const answer = await app.post(`/api/${route}/${token}`, { answer: 'accept' });
      expect([400, 404, 414, 422]).toContain(answer.status);
    }
  },
);

test('a link of one kind is refused by the routes of the other', async () => {
  const { path } = await alerted();
  const token = path.split('/').at(-1);
  expect((await app.get(`/api/not-needed/${token}`)).status).toBe(404);
  expect((await app.post(`/api/not-needed/${token}`)).status).toBe(404);
});

test('what is no answer is refused, and the link stays good', async () => {
  const { id, path } = await alerted();
  for (const body of [
    {},
    { answer: 'maybe' },
    { answer: 'accept', jobId: 'x' },
    { answer: ['accept'] },
    null,
  ])
    expect((await app.post(path, body)).status).toBe(422);
  expect(await eventsOf(id)).toEqual(['JobRequested']);
  expect((await app.post(path, { answer: 'accept' })).status).toBe(200);
});

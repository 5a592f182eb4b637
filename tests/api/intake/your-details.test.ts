import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { carryOutDue } from '#api/privacy/due-erasures.ts';
import { mostCorrections } from '#core/job/customer/decide.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { jobReference } from '#core/values/job-form.ts';
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
  customer = `details${count}@example.com`;
});
afterAll(() => app?.close());

/** A job that a customer asked for, and the path of the API behind "Your details" of its receipt. */
async function aJob(changes = {}) {
  const jobId = await requestedJob(app, dave, { email: customer, ...changes });
  await app.settle();
  const [receipt] = await sentMail(app, customer);
  const link = detailsPathIn(receipt ?? { text: '' });
  expect(receipt?.html).toContain(`${link}"`);
  return { jobId, path: `/api${link}` };
}

const typesOf = async (jobId: string) =>
  (await app.deps.store.readStream(streamName('job', jobId))).map(({ type }) => type);
const ofType = async (jobId: string, type: string) =>
  (await typesOf(jobId)).filter((one) => one === type).length;
const historyOf = async (jobId: string) => (await dave.get(`/api/jobs/${jobId}/history`)).body.history;
const rowsOf = (rows: { label: string; value: string }[]) =>
  Object.fromEntries(rows.map(({ label, value }) => [label, value]));

test('the receipt leads to what is held: each row of the request, who holds it and until when', async () => {
  const title = 'Tap <img src=x onerror=alert(1)>';
  const { jobId, path } = await aJob({ title, description: 'It drips', wishedTime: 'Mornings' });
  await dave.put(`/api/jobs/${jobId}`, { notes: 'Marker of the business' });
  const before = await typesOf(jobId);
  const { status, body, text, headers } = await app.get(path);
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(body).toMatchObject({ business: 'Acme Plumbing', reference: jobReference(jobId), removedAt: null });
  expect(rowsOf(body.held.rows)).toMatchObject({
    ...{ Name: 'Aroha Tāwhiri', Email: customer, Phone: '0491 570 156', Title: title },
    ...{ Description: 'It drips', 'Preferred time': 'Mornings' },
  });
  expect(body.held).toMatchObject({
    ...{ status: 'Pending', corrections: [], canCorrect: true, removal: { state: 'at-once' } },
    retention: { rule: 'never-accepted', until: '2027-11-20T01:00:00.000Z' },
  });
  expect(text).not.toContain('Marker of the business');
  expect(await typesOf(jobId)).toEqual(before);
});

test.each([
  [false, 'Pending'],
  [true, 'To quote'],
])('what was called off is that, also once it was accepted (%s)', async (isAccepted, status) => {
  const { jobId, path } = await aJob();
  if (isAccepted) await dave.put(`/api/jobs/${jobId}/accept`);
  expect((await app.get(path)).body.held).toMatchObject({ status, isCalledOff: false });
  const [receipt] = await sentMail(app, customer);
  const link = /\/not-needed\/\S+/.exec(receipt?.text ?? '')?.[0];
  expect((await app.post(`/api${link}`)).status).toBe(200);
  expect((await app.get(path)).body.held).toMatchObject({ status, isCalledOff: true });
});

test('the download is a file with every field, and without what the business wrote', async () => {
  const { jobId, path } = await aJob({ description: 'It drips' });
  await dave.put(`/api/jobs/${jobId}`, { notes: 'Marker of the business' });
  const { status, text, headers } = await app.get(`${path}/download`);
  expect(status).toBe(200);
  expect(headers.get('content-disposition')).toBe('attachment; filename="my-request.json"');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(JSON.parse(text)).toMatchObject({
    heldBy: 'Acme Plumbing',
    request: { name: 'Aroha Tāwhiri', email: customer, description: 'It drips', files: [] },
    job: { status: 'Pending' },
  });
  expect(text).not.toMatch(/Marker of the business|businessId/);
});

test('a correction is in the history and in a mail to the business, once', async () => {
  const { jobId, path } = await aJob();
  const ask = { ask: 'correction', text: ' My number is 0491 570 157 <b> ' };
  const answers = await Promise.all([1, 2, 3].map(() => app.post(path, ask)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await app.post(path, ask)).body.held.corrections).toMatchObject([{ text: ask.text.trim() }]);
  expect(await ofType(jobId, 'CustomerCorrectionAsked')).toBe(1);
  const [entry] = await historyOf(jobId);
  expect(entry).toMatchObject({ what: 'correction-asked', who: { kind: 'customer' } });
  // The number is contact, which a job that waits withholds.
  expect(entry.to).not.toContain('0491 570 157');
  const { mail } = await app.toldTo(dave);
  expect(mail.filter((text) => text.includes('A customer asks for a correction'))).toHaveLength(1);
  expect(mail.join()).not.toContain('My number');
  await dave.put(`/api/jobs/${jobId}/accept`);
  const [, accepted] = await historyOf(jobId);
  expect(accepted.to).toBe(ask.text.trim());
});

test('a correction has words, not too many of them, and there are not too many', async () => {
  const { jobId, path } = await aJob();
  for (const text of ['', ' ', 'x'.repeat(501), '\0', 7])
    expect((await app.post(path, { ask: 'correction', text })).status, String(text)).toBe(422);
  expect((await app.post(path, { ask: 'removal', businessId: 'x' })).status).toBe(422);
  for (let n = 0; n < mostCorrections; n += 1)
    expect((await app.post(path, { ask: 'correction', text: `Unit ${n}` })).status).toBe(200);
  expect((await app.post(path, { ask: 'correction', text: 'Unit 99' })).status).toBe(409);
  expect((await app.get(path)).body.held.canCorrect).toBe(false);
  expect(await ofType(jobId, 'CustomerCorrectionAsked')).toBe(mostCorrections);
});

test('what was never accepted goes in seven days without the business, which cannot keep it', async () => {
  const { jobId, path } = await aJob();
  const answers = await Promise.all([1, 2, 3].map(() => app.post(path, { ask: 'removal' })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const dueAt = '2026-11-27T01:00:00.000Z';
  expect((await app.get(path)).body.held).toMatchObject({
    ...{ canCorrect: false, removal: { state: 'planned', dueAt, canKeep: true } },
  });
  expect(await ofType(jobId, 'CustomerErasurePlanned')).toBe(1);
  expect(await ofType(jobId, 'CustomerRemovalAsked')).toBe(1);
  expect((await app.post(path, { ask: 'correction', text: 'Unit 2' })).status).toBe(409);
  expect((await historyOf(jobId)).slice(0, 2)).toMatchObject([
    { what: 'erasure-planned', who: { kind: 'customer' } },
    { what: 'removal-asked', who: { kind: 'customer' } },
  ]);
  const { mail } = await app.toldTo(dave);
  expect(mail.filter((text) => text.includes('There is nothing for you to do'))).toHaveLength(1);

  await dave.put(`/api/jobs/${jobId}/accept`);
  expect((await dave.delete(`/api/jobs/${jobId}/erasure`)).status).toBe(409);
  expect((await dave.get(`/api/jobs/${jobId}`)).body.job).toMatchObject({ erasureDueAt: dueAt });
});

test('the customer may keep the details after all, and ask again', async () => {
  const { jobId, path } = await aJob();
  await app.post(path, { ask: 'removal' });
  expect((await app.post(path, { ask: 'keep' })).body.held.removal).toEqual({ state: 'at-once' });
  expect((await app.post(path, { ask: 'keep' })).status).toBe(200);
  expect(await ofType(jobId, 'CustomerErasureCancelled')).toBe(1);
  expect((await app.post(path, { ask: 'removal' })).body.held.removal).toMatchObject({ state: 'planned' });
  expect(await ofType(jobId, 'CustomerErasurePlanned')).toBe(2);
});

test('of an accepted job the business is asked, and answers by its own removal', async () => {
  const { jobId, path } = await aJob();
  await dave.put(`/api/jobs/${jobId}/accept`);
  expect((await app.get(path)).body.held).toMatchObject({
    ...{
      removal: { state: 'by-business' },
      retention: { rule: 'worked-on', until: '2033-11-20T01:00:00.000Z' },
    },
  });
  for (let n = 0; n < 2; n += 1)
    expect((await app.post(path, { ask: 'removal' })).body.held.removal).toMatchObject({ state: 'asked' });
  expect(await ofType(jobId, 'CustomerRemovalAsked')).toBe(1);
  expect(await ofType(jobId, 'CustomerErasurePlanned')).toBe(0);
  const { mail } = await app.toldTo(dave);
  expect(mail.filter((text) => text.includes('it is for you to answer'))).toHaveLength(1);
  await dave.post(`/api/jobs/${jobId}/erasure`, { others: [] });
  expect((await app.get(path)).body.held.removal).toMatchObject({ state: 'planned', canKeep: false });
  // The business took it on: what it planned is not the customer's to take back.
  expect((await app.post(path, { ask: 'keep' })).body.held.removal).toMatchObject({ state: 'planned' });
  // What a customer asked for is not dropped without a word to them.
  const dropped = await dave.delete(`/api/jobs/${jobId}/erasure`);
  expect([dropped.status, dropped.body.message]).toEqual([
    ...[409, 'The customer asked for this: to keep the details, say why'],
  ]);
});

test('once they are removed the link shows that, and when, and opens nothing else', async () => {
  const { jobId, path } = await aJob({ title: 'Marker title' });
  await app.post(path, { ask: 'correction', text: 'Marker correction' });
  await app.post(path, { ask: 'removal' });
  await app.settle();
  app.pass(7 * 24 * 60);
  const forgetting = erasing(app).deps;
  // With what other tests planned.
  expect(await carryOutDue(forgetting)).toBeGreaterThan(0);
  await app.settle();
  const removedAt = app.deps.now().toISOString();
  const { status, body, text } = await app.get(path);
  expect([status, body.removedAt, body.held]).toEqual([200, removedAt, null]);
  expect(text).not.toMatch(/Marker|Aroha|491 ?570 ?156/);
  expect((await app.get(`${path}/download`)).status).toBe(404);
  expect((await app.post(path, { ask: 'correction', text: 'Unit 2' })).status).toBe(409);
  expect((await app.post(path, { ask: 'removal' })).body).toMatchObject({ removedAt, held: null });
  expect(await ofType(jobId, 'JobCustomerErased')).toBe(1);
});

test('a link opens one job alone, and no other kind of link', async () => {
  const { path } = await aJob();
  const token = path.split('/').at(-1);
  for (const other of [`/api/answers/${token}`, `/api/not-needed/${token}`])
    expect((await app.get(other)).status).toBe(404);
  const [receipt] = await sentMail(app, customer);
  const notNeeded = /\/not-needed\/(\S+)/.exec(receipt?.text ?? '')?.[1];
  for (const none of [notNeeded, 'x', 'A'.repeat(43)]) {
    expect((await app.get(`/api/your-details/${none}`)).status).toBe(404);
    expect((await app.get(`/api/your-details/${none}/download`)).status).toBe(404);
    expect((await app.post(`/api/your-details/${none}`, { ask: 'removal' })).status).toBe(404);
  }
});

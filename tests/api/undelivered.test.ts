import { afterAll, beforeAll, expect, test } from 'vitest';
import { type NewMessage, queueMessage } from '#api/messages/outbox/outbox.ts';
import { deliverDue } from '#api/messages/sender.ts';
import { MessageRefusedError } from '#api/providers/http-client.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { aMailKind, deliver, testDelivery } from '#tests/support/app/messages.ts';
import { requestedJob } from '#tests/support/scenarios/job-requests.ts';

let app: TestApp;
let acme: SignedIn;
let ponsonby: SignedIn;
let jobId: string;
const id = Bun.randomUUIDv7();

beforeAll(async () => {
  app = await testApp();
  [acme, ponsonby] = [await app.signIn(), await app.signIn()];
  jobId = await requestedJob(app, acme);
  await deliver(app);
  const message = { id, kind: 'request-receipt', businessId: acme.businessId, jobId, data: {} };
  // The test queues what else follows from an event alone.
  await queueMessage(app.deps.db, message as unknown as NewMessage, app.deps.now());
  const send = () => Promise.reject(new MessageRefusedError('smtp', 'answered 550 to RCPT TO', 550));
  const kinds = [aMailKind({ kind: 'request-receipt' })];
  await deliverDue(testDelivery(app, { kinds, mail: { name: 'test', send } }));
});
afterAll(() => app?.close());

test('a job’s history says what could not be delivered, in its place, and not to whom', async () => {
  const { history } = (await acme.get(`/api/jobs/${jobId}/history`)).body;
  expect(history[0]).toEqual({
    ...{ what: 'undelivered', id, revision: null, from: null, to: null, undo: false },
    at: expect.any(String),
    who: { kind: 'ute', name: 'Ute' },
    text: 'The receipt to the customer could not be delivered',
  });
  await acme.put(`/api/jobs/${jobId}/accept`);
  const after = (await acme.get(`/api/jobs/${jobId}/history`)).body.history;
  expect(after.map(({ what }: { what: string }) => what).slice(0, 2)).toEqual(['accepted', 'undelivered']);
});

test('no other business is notified', async () => {
  expect((await ponsonby.get(`/api/jobs/${jobId}/history`)).status).toBe(404);
});

test('metrics count what is dead and what waits', async () => {
  const { text } = await app.get('/api/metrics');
  expect(text).toMatch(/^ute_outbox_messages\{standing="dead"\} 1$/m);
  expect(text).toMatch(/^ute_outbox_messages\{standing="waiting"\} \d+$/m);
  expect(text).toMatch(/^ute_outbox_oldest_waiting_seconds \d/m);
});

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handleCommand } from '#core/event-store/handle-command.ts';
import type { JobCommand } from '#core/job/commands.ts';
import { jobDecider } from '#core/job/decider.ts';
import { hidesContact, workingStatuses } from '#core/job/statuses.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/api.ts';
import { aNewJob, requestedJob } from '#tests/support/job-requests.ts';
import { slot } from '#tests/support/slots.ts';

let app: TestApp;
let acme: SignedIn;
beforeAll(async () => {
  app = await testApp();
  acme = await app.signIn();
});
afterAll(() => app.close());

const asItStood = (id: string, at: number | string, who = acme) => who.get(`/api/jobs/${id}?at=${at}`);

test('a job as it stood is what its change was answered with, for random histories', async () => {
  const change = fc.oneof(
    fc.constantFrom(...workingStatuses).map((status) => ({ status })),
    fc.string({ maxLength: 20 }).map((notes) => ({ notes })),
    fc.constantFrom(null, slot(3, '09:00'), slot(4, '10:30')).map((scheduledAt) => ({ scheduledAt })),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
      const answers = [(await acme.post('/api/jobs', aNewJob())).body.job];
      const { id } = answers[0];
      for (const one of changes) {
        const { status, body } = await acme.put(`/api/jobs/${id}`, one);
        if (status === 200) answers.push(body.job);
      }
      for (const job of answers) expect((await asItStood(id, job.revision)).body).toMatchObject({ job });
    }),
    { numRuns: 15 },
  );
});

test('contact that is withheld now is withheld in every state before', async () => {
  const id = await requestedJob(app, acme, { description: 'Ring 0491 570 156 first' });
  const { revision } = (await acme.put(`/api/jobs/${id}/accept`)).body.job;
  expect((await asItStood(id, revision)).text).toContain('570 156 first');
  expect((await asItStood(id, 0)).text).not.toContain('570 156');
  await acme.post(`/api/jobs/${id}/undo`, { revision });
  const then = await asItStood(id, revision);
  expect(then.body.job).toMatchObject({ status: 'To quote', revision });
  expect(hidesContact(then.body.job.status)).toBe(false);
  expect(then.body.job).not.toHaveProperty('phone');
  expect(then.text).not.toContain('570 156');
});

test('whom an erasure is about to remove is withheld in every state, and then gone from all', async () => {
  const id = await requestedJob(app, acme, { name: 'Aroha Tāwhiri', description: 'Behind the blue door' });
  const { revision } = (await acme.put(`/api/jobs/${id}/accept`)).body.job;
  const at = app.deps.now().toISOString();
  const give = (command: JobCommand) =>
    handleCommand(app.deps.store, jobDecider, streamName('job', id), command, {
      ...{ commandId: app.deps.newId(), actor: 'system', correlation: app.deps.newId() },
    });
  const data = { jobId: id, businessId: acme.businessId, erasureId: 'erasure-1' };
  await give({ type: 'PlanCustomerErasure', at, data: { ...data, dueAt: at } });
  expect((await asItStood(id, revision)).body.job).not.toHaveProperty('email');
  await give({ type: 'EraseCustomer', at, data });
  const then = await asItStood(id, revision);
  expect(then.body.job).toMatchObject({ status: 'To quote', name: 'Removed customer', revision });
  for (const text of ['Aroha', 'blue door', '@']) expect(then.text).not.toContain(text);
});

test('a state that never was, and a job of another business, are not found', async () => {
  const id = await requestedJob(app, acme);
  const rival = await app.signIn();
  expect((await asItStood(id, 0)).status).toBe(200);
  expect((await asItStood(id, 1)).status).toBe(404);
  expect((await asItStood(id, 0, rival)).status).toBe(404);
  for (const at of ['-1', 'x', '1.5', '9999999999']) expect((await asItStood(id, at)).status).toBe(422);
});

test('looking at how a job stood is no first look at it', async () => {
  const id = await requestedJob(app, acme);
  await asItStood(id, 0);
  expect(await app.deps.store.readStream(`job-${id}`)).toHaveLength(1);
});

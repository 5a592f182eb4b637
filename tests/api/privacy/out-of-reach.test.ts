import { afterAll, beforeAll, expect, test } from 'vitest';
import { businessDecider } from '#core/business/decider.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { jobDecider } from '#core/job/job.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import type { SignedIn } from '#tests/support/app/api.ts';
import { type MessageApp, messageApp, sentMail } from '#tests/support/app/messages.ts';
import { requestedJob } from '#tests/support/scenarios/job-requests.ts';

let app: MessageApp;
let acme: SignedIn;
beforeAll(async () => {
  app = await messageApp();
  acme = await app.signIn();
});
afterAll(() => app?.close());

const cause = () => ({ commandId: crypto.randomUUID(), actor: 'system', correlation: 'test' });
const listed = async (id: string) => (await acme.get(`/api/jobs/${id}/erasure`)).body.outOfReach;

test('what went out about a customer is listed with its dates, newest first: it stays with who got it', async () => {
  const { businessId, accountId } = acme;
  const jobId = await requestedJob(app, acme, { email: 'kim@example.com', phone: '0491570156' });
  const other = await requestedJob(app, acme, { email: 'kim@example.com', phone: '0491570156' });
  await app.settle();
  expect(await sentMail(app, 'kim@example.com')).toHaveLength(2);
  const receipt = (id: string) => ({
    ...{ jobId: id, text: 'The receipt to the customer' },
    at: app.deps.now().toISOString(),
  });
  const receipts = [receipt(jobId), receipt(other)];
  app.pass(60);
  const at = app.deps.now().toISOString();
  await handleCommand(
    app.deps.store,
    jobDecider,
    streamName('job', jobId),
    {
      ...{ type: 'IssueJobRecord', at },
      data: { jobId, businessId, audience: 'customer', by: 'tradie', upto: 0, sha256: 'A' },
    },
    cause(),
  );
  const exported = { type: 'ExportBusiness', at, data: { businessId, accountId, position: '1' } } as const;
  await handleCommand(app.deps.store, businessDecider, streamName('business', businessId), exported, cause());
  app.pass(60);
  const later = await requestedJob(app, acme, { email: 'ana@example.com', phone: '0491570157' });
  await app.settle();
  expect(await sentMail(app, 'ana@example.com')).toHaveLength(1);

  // Jobs of one customer are together once their contact is shown.
  for (const id of [jobId, other]) await acme.put(`/api/jobs/${id}/accept`);
  await app.settle();
  const found = await listed(jobId);
  for (const one of receipts) expect(found).toContainEqual(one);
  expect(found).toContainEqual({ jobId, text: 'A record for the customer', at });
  expect(found).toContainEqual({ jobId: null, text: 'An export of all your data', at });
  expect(found.map((one: { at: string }) => one.at)).toEqual(
    found
      .map((one: { at: string }) => one.at)
      .toSorted()
      .toReversed(),
  );
  const ofLater = await listed(later);
  expect(ofLater.length).toBeGreaterThan(0);
  expect(ofLater.every((one: { jobId: string }) => one.jobId === later)).toBe(true);
});

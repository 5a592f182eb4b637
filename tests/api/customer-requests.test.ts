import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { handleCommand } from '#core/event-store/handle-command.ts';
import type { JobCommand } from '#core/job/commands.ts';
import { jobDecider } from '#core/job/decider.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import type { SignedIn } from '#tests/support/api.ts';
import { requestedJob } from '#tests/support/job-requests.ts';
import { type MessageApp, messageApp } from '#tests/support/message-app.ts';
import { sentMail } from '#tests/support/outbox.ts';

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
  const link = /Your details:\n\S+(\/your-details\/\S+)/.exec(receipt?.text ?? '')?.[1];
  if (isAccepted) await dave.put(`/api/jobs/${jobId}/accept`);
  return { jobId, path: `/api${link}` };
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
  expect(mail?.text).toContain('removed by themselves on Sun, 20 Nov 2033');
  expect(mail?.text).toContain(
    'the Office of the Australian Information Commissioner: https://www.oaic.gov.au/',
  );
  const token = /\/your-details\/(\S+)/.exec(mail?.text ?? '')?.[1];
  expect((await app.get(`/api/your-details/${token}`)).status).toBe(200);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { toBase64 } from '#core/proof/base64.ts';
import { findCheckpoint } from '#projections/proof/read.ts';
import type { SignedIn } from '#tests/support/app/api.ts';
import { type MessageApp, messageApp, sentMail } from '#tests/support/app/messages.ts';
import { signForRecords, signLog } from '#tests/support/operations/record-recipes.ts';
import { requestedJob } from '#tests/support/scenarios/job-requests.ts';

let app: MessageApp;
let dave: SignedIn;

beforeAll(async () => {
  app = await messageApp();
  dave = await app.signIn();
});
afterAll(() => app?.close());

async function receiptTo(email: string) {
  await requestedJob(app, dave, { email });
  await app.settle();
  const [receipt] = await sentMail(app, email);
  if (!receipt) throw new Error('there is no receipt');
  return receipt;
}

test('where nothing was ever signed, the receipt goes out without the line', async () => {
  const { text } = await receiptTo('early@example.com');
  expect(text).toContain('Your request has arrived');
  expect(text).not.toContain('Log ');
});

test('the receipt names a checkpoint that has the request, in text and in HTML', async () => {
  const before = await signLog(app);
  signForRecords(app);
  const { text, html } = await receiptTo('sam@example.com');
  const [line, size, root] = /^Log (\d+) · ([A-Za-z0-9+/]{43}=)$/m.exec(text) ?? [];
  expect(Number(size)).toBeGreaterThan(before);
  const checkpoint = await findCheckpoint(app.deps.db, Number(size));
  expect(checkpoint && toBase64(checkpoint.root)).toBe(root);
  expect(html).toContain(line);
});

test('a proof that stopped holds up no receipt', async () => {
  await app.deps.db.query(`update proof.progress set stopped = 'log-changed'`);
  const { text } = await receiptTo('late@example.com');
  expect(text).not.toContain('Log ');
});

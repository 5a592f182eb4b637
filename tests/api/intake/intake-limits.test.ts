import { describe, expect, test } from 'vitest';
import { type Acceptance, accept, apiLimits } from '#api/intake/public-form/intake-limits.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { postForm, sendForm } from '#tests/support/scenarios/job-requests.ts';
import { limitedForms, MINUTE } from '#tests/support/scenarios/limited-forms.ts';

const forms = limitedForms();
const { from, post } = forms;

async function jobCount(): Promise<number> {
  await forms.app.settle();
  return (await forms.acme.get('/api/jobs/count')).body.count.all;
}

test('one source sends five requests in ten minutes, and is answered how long to wait', async () => {
  for (let n = 0; n < 5; n += 1) {
    expect((await post('203.0.113.7')).status).toBe(200);
    forms.pass(MINUTE);
  }
  const refused = await post('203.0.113.7');
  expect(refused).toMatchObject({ status: 429, body: { status: 'error' } });
  expect(refused.headers.get('retry-after')).toBe('300');
  expect((await post('203.0.113.8')).status).toBe(200);
  forms.pass(5 * MINUTE);
  expect((await post('203.0.113.7')).status).toBe(200);
});

test('twenty at once from one source are five jobs', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => post('203.0.113.9')));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
  expect(await jobCount()).toBe(5);
});

test('a network of many addresses is one source', async () => {
  const answers = await Promise.all(
    Array.from({ length: 7 }, (_, n) => post(`2001:db8:1:2::${n.toString(16)}`)),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
});

test('repeats are not counted, nor are refusals', async () => {
  for (let n = 0; n < 8; n += 1) expect((await post('203.0.113.10', 'the-same-key')).status).toBe(200);
  for (let n = 0; n < 8; n += 1) {
    expect((await sendForm(from('203.0.113.10'), forms.acme.slug, { email: 'nobody' })).status).toBe(422);
  }
  for (let n = 0; n < 4; n += 1) expect((await post('203.0.113.10')).status).toBe(200);
  expect((await post('203.0.113.10')).status).toBe(429);
});

test('the same key a day later is answered, with the same job', async () => {
  const first = await post('203.0.113.11', 'a-key-kept-for-long');
  forms.pass(25 * 60 * MINUTE);
  const later = await post('203.0.113.11', 'a-key-kept-for-long');
  expect([later.status, later.body.reference]).toEqual([200, first.body.reference]);
});

test('the same key a day later for something else is refused, and nothing of it is lost unsaid', async () => {
  const key = { 'idempotency-key': 'a-key-for-two-things' };
  const send = (description: string) => sendForm(from('203.0.113.12'), forms.acme.slug, { description }, key);
  expect((await send('The hot tap drips.')).status).toBe(200);
  forms.pass(25 * 60 * MINUTE);
  const refused = await send('The cold tap drips.');
  expect([refused.status, refused.body.message]).toEqual([
    422,
    'This Idempotency-Key was used before, for something else',
  ]);
  expect(await jobCount()).toBe(1);
});

test('what is more than thirty an hour, from everywhere together, is held for review, and refused only far beyond that', async () => {
  const other = await forms.app.signIn();
  const answers = await Promise.all(Array.from({ length: 332 }, (_, n) => acceptFrom(`source-${n}`)));
  expect(tally(answers)).toEqual({ null: 30, rush: 300, refused: 2 });
  const held = await post('198.51.100.1');
  expect(held.status).toBe(429);
  expect(held.headers.get('retry-after')).toBe('3600');
  forms.pass(61 * MINUTE);
  expect((await post('198.51.100.1')).status).toBe(200);
  expect(await cards()).toMatchObject([{ heldFor: null }]);
  expect((await sendForm(from('198.51.100.2'), other.slug)).status).toBe(200);
});

describe('what comes without a bot check', () => {
  const postPlain = (address: string) => postForm(from(address), forms.acme.slug);
  const rush = (length: number) => Array.from({ length }, (_, n) => postPlain(`10.${n}.0.1`));

  test('has a smaller budget of its own, and takes nothing from customers who solved one', async () => {
    const answers = await Promise.all(rush(58));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(15);
    expect((await post('198.51.100.9')).status).toBe(200);
    const held = (await cards()).map(({ heldFor }) => heldFor);
    expect(held.filter((one) => one === 'unchecked')).toHaveLength(9);
    expect(held.filter((one) => one === null)).toHaveLength(7);
  });

  test('leaves the places of its own network to customers who solved one', async () => {
    const statuses = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await postPlain('203.0.113.20')).status === 303);
    expect(statuses).toEqual([true, true, true, false]);
    for (let n = 0; n < 5; n += 1) expect((await post('203.0.113.20')).status).toBe(200);
    expect((await post('203.0.113.20')).status).toBe(429);
  });
});

test('what is more than three hundred a day is held for review', async () => {
  for (let hour = 0; hour < 10; hour += 1) {
    await Promise.all(Array.from({ length: 30 }, (_, n) => acceptFrom(`${hour}-${n}`)));
    forms.pass(61 * MINUTE);
  }
  expect((await post('198.51.100.3')).status).toBe(200);
  expect(await cards()).toMatchObject([{ heldFor: 'rush', status: 'Pending' }]);
  forms.pass(24 * 60 * MINUTE);
  await post('198.51.100.3');
  expect((await cards()).map(({ heldFor }) => heldFor)).toEqual([null, 'rush']);
});

test('a held request is in the lists, is not counted, and is a job like any other once it is answered', async () => {
  await Promise.all(Array.from({ length: 30 }, (_, n) => acceptFrom(`source-${n}`)));
  await post('198.51.100.4');
  const [card = { id: 'none' }] = await cards();
  expect((await forms.acme.get('/api/jobs?filter=Pending')).body.jobs).toEqual([card]);
  expect((await forms.acme.get('/api/jobs?search=Job')).body.jobs).toEqual([card]);
  expect((await forms.acme.get(`/api/jobs/${card?.id}`)).body.job.heldFor).toBe('rush');
  expect((await forms.acme.get('/api/jobs/count')).body.count).toMatchObject({ new: 0, all: 0 });
  const { job } = (await forms.acme.put(`/api/jobs/${card?.id}/accept`)).body;
  expect(job).toMatchObject({ heldFor: null, status: 'To quote' });
  expect((await forms.acme.get('/api/jobs/count')).body.count).toMatchObject({ new: 1, all: 1 });
  expect(await cards()).toMatchObject([{ heldFor: null }]);
});

async function cards(): Promise<{ id: string; heldFor: string | null }[]> {
  await forms.app.settle();
  return (await forms.acme.get('/api/jobs')).body.jobs;
}

function tally(answers: readonly Acceptance[]): Record<string, number> {
  const outcomes = answers.map((one) => (one.accepted ? `${one.heldFor}` : 'refused'));
  return Object.fromEntries(
    [...new Set(outcomes)].map((word) => [word, outcomes.filter((one) => one === word).length]),
  );
}

/** What becomes of a request from a source of its own. */
function acceptFrom(source: string) {
  const request = {
    ...{ jobId: crypto.randomUUID(), businessId: forms.acme.businessId },
    sourceHash: `${forms.acme.businessId} ${source}`,
  };
  return inTransaction(forms.app.deps.db, (db) => accept(db, request, apiLimits, forms.now()));
}

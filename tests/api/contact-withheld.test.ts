import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hidesContact, type JobStatus, workingStatuses } from '#core/job/statuses.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/api.ts';
import { requestedJob } from '#tests/support/requested-job.ts';

let app: TestApp;
let acme: SignedIn;
beforeAll(async () => {
  app = await testApp();
  acme = await app.signIn();
});
afterAll(() => app.close());

let count = 0;
/** A customer that no other text of this test contains. */
function aCustomer() {
  count += 1;
  const digits = String(count).padStart(4, '0');
  return {
    email: `canary${digits}@customer.example`,
    phone: `04915${digits}6`,
    national: `04915${digits}6`.slice(1),
  };
}

type Step = 'accept' | 'reject' | (typeof workingStatuses)[number];

test('before a job is accepted no answer, list or search gives its email or phone away', async () => {
  const step = fc.constantFrom<Step>('accept', 'reject', 'reject', ...workingStatuses);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 4 }), async (steps) => {
      const { email, phone, national } = aCustomer();
      const id = await requestedJob(app, acme, { email, phone });
      for (const next of [null, ...steps]) {
        const answers = [];
        if (next === 'accept' || next === 'reject') answers.push(await acme.put(`/api/jobs/${id}/${next}`));
        else if (next) answers.push(await acme.put(`/api/jobs/${id}`, { status: next }));
        answers.push(await acme.put(`/api/jobs/${id}`, { notes: `after ${next}` }));
        await app.settle();
        const details = await acme.get(`/api/jobs/${id}`);
        const { job } = details.body as { job: { status: JobStatus } };
        answers.push(details, await acme.get('/api/jobs?limit=100'));
        answers.push(await acme.get(`/api/jobs/${id}/history`), await acme.get('/api/jobs/schedule'));
        const hinted = await acme.get(`/api/jobs/hints?phone=${phone}&email=${encodeURIComponent(email)}`);
        const texts = answers.map(({ text }) => text).join('\n');
        const shown = texts.includes(email) || texts.includes(national);
        const found = await Promise.all(
          [
            email,
            email.slice(0, 10),
            phone,
            national,
            `+61${national}`,
            `${phone.slice(0, 4)} ${phone.slice(4, 7)}`,
          ].map(async (search) => hits(await acme.get(`/api/jobs?search=${encodeURIComponent(search)}`), id)),
        );
        if (hidesContact(job.status)) {
          expect({ shown, found: found.some(Boolean), hinted: named(hinted, id) }).toEqual({
            ...{ shown: false, found: false, hinted: false },
          });
        } else {
          expect({ shown, byEmail: found[0], byPhone: found[2] }).toEqual({
            shown: true,
            byEmail: true,
            byPhone: true,
          });
        }
      }
    }),
    { numRuns: 12 },
  );
}, 90_000);

test('a search for the exact phone finds the job after accept alone', async () => {
  const { phone } = aCustomer();
  const id = await requestedJob(app, acme, { phone });
  const found = async () => hits(await acme.get(`/api/jobs?search=${phone}`), id);
  expect(await found()).toBe(false);
  await acme.put(`/api/jobs/${id}/reject`);
  expect(await found()).toBe(false);
  await acme.put(`/api/jobs/${id}/accept`);
  expect(await found()).toBe(true);
});

test('no order of the list depends on what is hidden', async () => {
  for (const sort of ['email', 'phone', 'name']) {
    expect((await acme.get(`/api/jobs?sort=${sort}`)).status).toBe(422);
  }
});

function hits({ body }: { body: { jobs: { id: string }[] } }, id: string): boolean {
  return body.jobs.some((job) => job.id === id);
}

function named({ body }: { body: { hints: { repeats: { id: string }[] } } }, id: string): boolean {
  return body.hints.repeats.some((job) => job.id === id);
}

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hidesContact, type JobStatus, workingStatuses } from '#core/job/status/statuses.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { requestedJob } from '#tests/support/scenarios/job-requests.ts';

let app: TestApp;
let acme: SignedIn;
beforeAll(async () => {
  app = await testApp();
  acme = await app.signIn({ trades: ['plumbing'] });
});
afterAll(() => app.close());

let count = 0;
/** A customer that no other text of this test contains. */
function aCustomer() {
  count += 1;
  const digits = String(count).padStart(4, '0');
  return {
    email: `marker${digits}@customer.example`,
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
        const { job } = details.body as { job: { status: JobStatus; revision: number } };
        for (let at = 0; at <= job.revision; at += 1)
          answers.push(await acme.get(`/api/jobs/${id}?at=${at}`));
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

const spellings: ((phone: string, email: string) => string)[] = [
  (phone) => phone,
  (phone) => `${phone.slice(0, 4)}-${phone.slice(4, 7)}-${phone.slice(7)}`,
  (phone) => `+61 (${phone.slice(1, 4)}) ${phone.slice(4, 7)}.${phone.slice(7)}`,
  (phone) => phone.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  (_, email) => email,
  (_, email) => email.replace('@', ' (at) '),
  (_, email) => `www.${email.split('@')[0]}.example/me`,
  (_, email) => `@${email.split('@')[0]}`,
];

test('before a job is accepted its texts are read, searched and mailed without contact, and after it as they were typed', async () => {
  const asked = { trade: 'plumbing', question: 'Anything else?', seq: 1 };
  const free = (await acme.post('/api/form', asked)).body.question.id;
  for (const spelling of spellings) {
    const { email, phone } = aCustomer();
    const said = spelling(`04927${phone.slice(5)}`, `own-${email}`);
    const name = `Aroha ${said}`;
    const [title, description] = [`Tap leaks, ${said} now`, `Line one\n${said}\nfor $1,200 on 01/12/2026`];
    const request = { name, title, description, wishedTime: `Any day ${said}` };
    const answers = [{ questionId: free, answer: `Ask ${said}` }];
    const id = await requestedJob(app, acme, { ...request, answers, email, phone });
    await requestedJob(app, acme, { title: 'At the same address' });

    const read = async () => {
      const paths = [
        '?limit=100',
        `/${id}`,
        `/${id}/history`,
        '/schedule',
        '/hints?address=22/140 Lygon St, Brunswick East VIC 3057',
      ];
      const answered = [await acme.put(`/api/jobs/${id}`, { status: 'Paid', revision: 0 })];
      for (const path of paths) answered.push(await acme.get(`/api/jobs${path}`));
      expect(answered.slice(1).map(({ status }) => status)).toEqual(paths.map(() => 200));
      return answered.map(({ text }) => text).join('\n');
    };
    const finds = async (search: string) =>
      hits(await acme.get(`/api/jobs?search=${encodeURIComponent(search)}`), id);
    const parts = [said, said.slice(-6), `leaks, ${said.slice(0, 4)}`];

    for (const step of [null, 'reject']) {
      if (step) await acme.put(`/api/jobs/${id}/${step}`);
      await app.settle();
      const text = await read();
      expect(text).not.toContain(said);
      expect(text).toContain('Tap leaks, (hidden until you accept) now');
      expect(text).toContain('for $1,200 on 01/12/2026');
      expect(await Promise.all([...parts, 'hidden until'].map(finds))).toEqual([false, false, false, false]);
      expect(await finds('tap leaks')).toBe(true);
    }

    await acme.put(`/api/jobs/${id}/accept`);
    await app.settle();
    const { job } = (await acme.get(`/api/jobs/${id}`)).body;
    expect(job).toMatchObject({
      name,
      title,
      consumerJobDetails: { description, wishedTime: request.wishedTime },
    });
    expect(job.form[0].answer).toBe(`Ask ${said}`);
    expect(await Promise.all(parts.map(finds))).toEqual([true, true, true]);
  }
}, 60_000);

test('an account takes back five acceptances a day, and is answered what to do with the sixth', async () => {
  const limited = await testApp({ env: { RATE_LIMITS: 'on' } });
  try {
    const [dave, rival] = [await limited.signIn(), await limited.signIn()];
    const takeBack = async (who: SignedIn, id: string) => {
      const { job } = (await who.put(`/api/jobs/${id}/accept`)).body;
      return who.post(`/api/jobs/${id}/undo`, { revision: job.revision });
    };
    const id = await requestedJob(limited, dave);
    const moved = await requestedJob(limited, dave);
    const { revision } = (await dave.put(`/api/jobs/${moved}/accept`)).body.job;
    await dave.put(`/api/jobs/${moved}`, { status: 'Paid' });
    for (let n = 0; n < 6; n += 1) {
      expect((await dave.post(`/api/jobs/${moved}/undo`, { revision })).status).toBe(409);
    }
    for (let n = 0; n < 5; n += 1) expect((await takeBack(dave, id)).status).toBe(200);
    const sixth = await takeBack(dave, id);
    expect(sixth).toMatchObject({
      status: 429,
      body: {
        status: 'error',
        message:
          'You have undone five accepted jobs today. Keep this job, or set its status to Unsuccessful.',
      },
    });
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await dave.get(`/api/jobs/${id}`)).body.job.status).toBe('To quote');
    const { job } = (await dave.put(`/api/jobs/${id}`, { status: 'Paid' })).body;
    expect((await dave.post(`/api/jobs/${id}/undo`, { revision: job.revision })).status).toBe(200);
    expect((await takeBack(rival, await requestedJob(limited, rival))).status).toBe(200);
  } finally {
    await limited.close();
  }
});

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

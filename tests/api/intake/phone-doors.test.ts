import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SignedIn } from '#tests/support/app/api.ts';
import type { Answer, Client } from '#tests/support/app/api-client.ts';
import { type MessageApp, messageApp, sentMail } from '#tests/support/app/messages.ts';
import { aNewJob, aTicket, aWorkOrder, postForm, sendForm } from '#tests/support/scenarios/job-requests.ts';
import { begin, changePhone, contactOf } from '#tests/support/scenarios/registrations.ts';

const KEY = 'service-key-of-this-test-only';
const refused = 'Enter an Australian or New Zealand mobile number';

let app: MessageApp;
let product: Client;
let businesses: Record<'au' | 'nz', SignedIn>;
beforeAll(async () => {
  app = await messageApp({ env: { SERVICE_KEY: KEY, SALES_EMAIL: 'sales@ute.example' } });
  product = app.as({ authorization: `Bearer ${KEY}` });
  businesses = {
    au: await app.signIn(),
    nz: await app.signIn({ region: 'nz', phone: '+64211234599' }),
  };
});
afterAll(() => app.close());

/** What a door stored of a number; its refusal where it took none. */
type Door = (business: SignedIn, phone: string, title: string) => Promise<string | null>;

function refusalIn({ status, body }: Answer, field = 'phone'): null {
  expect([status, body.fields]).toEqual([422, { [field]: refused }]);
  return null;
}

async function acceptedJob(business: SignedIn, title: string) {
  await app.settle();
  const { jobs } = (await business.get('/api/jobs?limit=50')).body;
  const { id } = jobs.find((job: { title: string }) => job.title === title);
  return (await business.put(`/api/jobs/${id}/accept`)).body.job;
}

const storedPhone = async (business: SignedIn, title: string): Promise<string> =>
  (await acceptedJob(business, title)).phone;

const doors: Readonly<Record<string, Door>> = {
  async 'the public form'(business, phone, title) {
    const answer = await sendForm(app, business.slug, { phone, title });
    return answer.status === 200 ? storedPhone(business, title) : refusalIn(answer);
  },
  async 'the public form without JavaScript'(business, phone, title) {
    const { status } = await postForm(app, business.slug, { phone, title });
    // What is refused is shown again by the site, which is no part of this app.
    return status === 303 ? storedPhone(business, title) : null;
  },
  async 'a job that is typed in'(business, phone, title) {
    const answer = await business.post('/api/jobs', aNewJob({ phone, title }));
    return answer.status === 200 ? answer.body.job.phone : refusalIn(answer);
  },
  async 'a work order'(business, phone, title) {
    const order = aWorkOrder(business.slug, { phone, title });
    const answer = await product.post('/api/work-orders', order, { 'idempotency-key': crypto.randomUUID() });
    return answer.status === 200 ? storedPhone(business, title) : refusalIn(answer);
  },
  async 'a correction'(business, phone, title) {
    const email = `${title.toLowerCase().replaceAll(' ', '-')}@customer.example`;
    await sendForm(app, business.slug, { title, email, phone: '+61 491 570 156' });
    const { id: jobId } = await acceptedJob(business, title);
    const [mail] = await sentMail(app, email);
    const token = /\/your-details\/([\w-]+)/.exec(mail?.text ?? '')?.[1];
    await app.post(`/api/your-details/${token}`, { ask: 'correction', text: 'My number' });
    const { history } = (await business.get(`/api/jobs/${jobId}/history`)).body;
    const asked = history.find(({ what }: { what: string }) => what === 'correction-asked').revision;
    const details = { name: 'Aroha', email, phone, address: '7 Mill St' };
    const answer = await business.put(`/api/jobs/${jobId}/corrections/${asked}`, {
      answer: 'agreed',
      details,
    });
    return answer.status === 200 ? answer.body.job.phone : refusalIn(answer, 'details.phone');
  },
  async 'the account'(business, phone) {
    const answer = await changePhone(business, phone);
    return answer.status === 200 ? (await contactOf(business)).pendingPhone.value : refusalIn(answer);
  },
};

const cases = [
  ['au', '(02) 9374 4000', null],
  ['nz', '(02) 9374 4000', null],
  ['nz', '02 9374 4000', null],
  ['au', '021 123 4567', null],
  ['nz', '0412 345 678', null],
  ['au', '\u202a+64 (0)21\u2011123\u20114567\u202c', '+64211234567'],
  ['nz', '\uff10\uff12\uff17.123.4567', '+64271234567'],
  ['nz', 'tel:0061/412/345/678', '+61412345678'],
] as const;

describe.each(Object.entries(doors))('%s', (name, door) => {
  test.each(cases)('of a business in %s stores of %j %j', async (country, typed, stored) => {
    const title = `${name} ${cases.findIndex(([of, text]) => of === country && text === typed)}`;
    expect(await door(businesses[country], typed, title)).toBe(stored);
  });
});

test('a registration reads a number by its region, and one of the other country by its prefix', async () => {
  const client = await begin(app);
  const given = async (region: string, phone: string) => {
    await client.put('/api/registration/tradies', { step: 0, region });
    const { status, body } = await client.post('/api/registration/phone/update', { phone });
    return status === 200 ? body.phone : body.message;
  };
  expect(await given('nz', '(02) 9374 4000')).toBe(
    'Enter a mobile number of New Zealand, such as 021 123 4567',
  );
  expect(await given('nz', '021.123.4560')).toBe('+64211234560');
  expect(await given('au', '021 123 4560')).toBe('Enter a mobile number of Australia, such as 0412 345 678');
  expect(await given('au', '+64 21 123 4560')).toBe('+64211234560');
  const verified = await client.post('/api/registration/email/verify', {
    email: '\u202aSam@B\u00fccher.example',
  });
  expect(verified.body.email).toBe('sam@xn--bcher-kva.example');
});

test('a prospect for a demo, who names no country, is asked for the prefix where both could be meant', async () => {
  const book = async (phone: string) => {
    const headers = { 'x-bot-check': await aTicket(app, 'demo') };
    const typed = { name: 'Aroha', businessName: 'Aroha Plumbing', phone, email: 'a@prospect.example' };
    return app.post('/api/registration/demo', { ...typed, reachTime: 'lunch' }, headers);
  };
  expect((await book('(02) 9374 4000')).body.fields).toEqual({ phone: refused });
  expect((await book('0293744000')).body.fields).toEqual({
    phone: 'Start a New Zealand mobile number with +64',
  });
  for (const phone of ['0412/345/678', '+64 29 374 4000', '027 123 4567'])
    expect((await book(phone)).status).toBe(200);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import type { Client } from '#tests/support/app/api-client.ts';
import { aWorkOrder, slot } from '#tests/support/scenarios/job-requests.ts';

const KEY = 'service-key-of-this-test-only';

let app: TestApp;
let acme: SignedIn;
let product: Client;
beforeAll(async () => {
  app = await testApp({
    env: { SERVICE_KEY: KEY, PRODUCT_PHONE: '1800 160 401', PRODUCT_EMAIL: 'help@ute.example' },
  });
  acme = await app.signIn();
  product = app.as({ authorization: `Bearer ${KEY}` });
});
afterAll(() => app.close());

const key = () => ({ 'idempotency-key': crypto.randomUUID() });

describe('a work order', () => {
  test('is a pending job of that business, its contact withheld, with whom to ring about it', async () => {
    const scheduledAt = slot(3, '09:00');
    const order = aWorkOrder(acme.slug, { isUrgent: true, scheduledAt });
    const { status, body } = await product.post('/api/work-orders', order, key());
    expect(status).toBe(200);
    expect(body.reference).toMatch(/^[0-9A-Z]{6}$/);
    await app.settle();
    const { history } = (await acme.get(`/api/jobs/${body.id}/history`)).body;
    expect(history).toMatchObject([
      { what: 'ordered', who: { kind: 'ute' }, text: 'Ute sent this work order' },
    ]);
    const { job } = (await acme.get(`/api/jobs/${body.id}`)).body;
    expect(job).toMatchObject({
      ...{ type: 'WorkOrder', status: 'Pending', title: 'Hot water unit', isUrgent: true, scheduledAt },
      consumerJobDetails: null,
      workOrderDetails: {
        description: 'The pilot will not stay lit.',
        contact: { phone: '1800 160 401', email: 'help@ute.example' },
      },
    });
    expect(job).not.toHaveProperty('phone');
    expect((await acme.put(`/api/jobs/${body.id}/accept`)).body.job.phone).toBe('+61491570006');
  });

  test('is one job, however often it is sent with its key', async () => {
    const [order, headers] = [aWorkOrder(acme.slug), key()];
    const answers = await Promise.all([1, 2, 3].map(() => product.post('/api/work-orders', order, headers)));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await app.deps.store.readStream(`job-${answers[0]?.body.id}`)).toHaveLength(1);
    expect((await product.post('/api/work-orders', { ...order, title: 'Other' }, headers)).status).toBe(422);
  });

  test.each([
    ['email', 'lena', 'Enter a valid email address'],
    ['title', '', 'Say in a few words what needs fixing'],
    ['scheduledAt', slot(3, '09:10'), 'Choose a time from 8:00AM to 5:30PM, on the hour or half past'],
    ['description', 'x'.repeat(2_001), 'Use at most 2000 characters'],
  ])('with %s %j is refused', async (field, value, message) => {
    const answer = await product.post('/api/work-orders', aWorkOrder(acme.slug, { [field]: value }), key());
    expect(answer).toMatchObject({ status: 422, body: { fields: { [field]: message } } });
  });

  test.each([
    [{ lat: -37.77 }, 'lng'],
    [{ lng: 144.96, lat: null }, 'lat'],
  ])('a place with %j alone is refused', async (half, field) => {
    const answer = await product.post('/api/work-orders', aWorkOrder(acme.slug, half), key());
    const fields = { [field]: 'Send lat and lng together, or neither' };
    expect(answer).toMatchObject({ status: 422, body: { fields } });
  });

  test('needs a business that exists and a key of its own', async () => {
    expect((await product.post('/api/work-orders', aWorkOrder('nobody-here'), key())).status).toBe(404);
    expect((await product.post('/api/work-orders', aWorkOrder(acme.slug))).status).toBe(400);
    const status = { ...aWorkOrder(acme.slug), status: 'Paid' };
    expect((await product.post('/api/work-orders', status, key())).status).toBe(422);
  });
});

describe('the route of the product', () => {
  test('stays shut for any other key, whatever is sent', async () => {
    const head = await app.deps.store.head();
    for (const authorization of ['', `Bearer ${KEY}x`, `Bearer ${acme.token}`, `Basic ${KEY}`, 'Bearer ']) {
      for (const body of [aWorkOrder(acme.slug), {}]) {
        const answer = await app.as({ authorization }).post('/api/work-orders', body, key());
        expect(answer).toMatchObject({ status: 401, body: { message: 'Wrong service key' } });
      }
    }
    expect(await app.deps.store.head()).toBe(head);
  });

  test('has no key that opens it until one is configured', async () => {
    const keyless = await testApp();
    try {
      for (const authorization of ['', 'Bearer undefined', 'Bearer ']) {
        expect((await keyless.as({ authorization }).post('/api/work-orders', {}, key())).status).toBe(401);
      }
    } finally {
      await keyless.close();
    }
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliverDue } from '#api/outbox/sender.ts';
import type { Mail } from '#api/providers/messages.ts';
import { type TestApp, testApp } from '#tests/support/app/api.ts';
import { linkIn, testDelivery } from '#tests/support/app/messages.ts';
import { requestedJob } from '#tests/support/scenarios/job-requests.ts';
import { failingCalls, failures, sweepCalls } from '#tests/support/servers/outages.ts';

const HOUR = 3_600_000;

const calls = failingCalls();
let api: TestApp;
let jobId: string;
let ahead = 0;
/** Every mail that the provider was given, by its Message-ID. */
let taken = new Map<string, Mail[]>();

beforeAll(async () => {
  api = await testApp({ processes: true, now: () => new Date(Date.now() + ahead) });
  jobId = await requestedJob(api, await api.signIn());
});
afterAll(() => api?.close());

function delivery(deps = api.deps) {
  const send = async (mail: Mail, messageId: string) => {
    taken.set(messageId, [...(taken.get(messageId) ?? []), mail]);
  };
  // A lease that is over at once: the second delivery takes what the first one left, without waiting.
  return { ...testDelivery(api, { mail: { name: 'test', send }, lease: 0, random: () => 0 }), deps };
}

const kinds = ['new-job-mail', 'request-receipt'];

/** The messages of a new job, as if they had never been sent. */
async function queueAgain(): Promise<void> {
  await api.deps.db.query(
    `update state.outbox set delivery_status = 'waiting', attempts = 0, wanted_at = $2, due_at = $2, leased_until = null
     where kind = any($1)`,
    [kinds, api.deps.now()],
  );
}

async function deliveryStatuses(): Promise<string[]> {
  const { rows } = await api.deps.db.query<{ deliveryStatus: string }>(
    'select delivery_status as "deliveryStatus" from state.outbox where job_id = $1 and kind = any($2)',
    [jobId, kinds],
  );
  return rows.map(({ deliveryStatus }) => deliveryStatus);
}

test.each(failures)(
  'each call of a delivery %s once: everything is sent in the end, and a repeat is the same mail',
  async (failure) => {
    const swept = await sweepCalls(async (n) => {
      taken = new Map();
      await queueAgain();
      calls.failAt(n, failure);
      // Where the failure meets the sender itself, its loop goes on; here the next delivery does.
      await deliverDue(delivery(calls.wrap(api.deps))).catch(() => {});
      const isMet = calls.disarm();
      ahead += HOUR;
      await deliverDue(delivery());
      expect(await deliveryStatuses()).toEqual(['sent', 'sent']);
      for (const copies of taken.values()) {
        expect(copies.length).toBeLessThanOrEqual(2);
        expect(new Set(copies.map(linkIn)).size).toBe(1);
      }
      return isMet;
    });
    expect(swept).toBeGreaterThan(7);
  },
  120_000,
);

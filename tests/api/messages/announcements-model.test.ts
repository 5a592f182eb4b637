import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { announce } from '#api/announcements/announce.ts';
import { changeNotifications } from '#api/businesses/notifications.ts';
import { leaseDue } from '#api/outbox/deliveries.ts';
import { deliverDue } from '#api/outbox/sender.ts';
import { DeliveryUncertainError, ProviderError } from '#api/providers/http-client.ts';
import { type TestApp, testApp } from '#tests/support/app/api.ts';
import { aNewsletter, aPace, type Owner, openOwners, testDelivery } from '#tests/support/app/messages.ts';

const HOUR = 3_600_000;
let time = Date.parse('2026-11-20T01:00:00.000Z');
let app: TestApp;
let owners: Owner[];

beforeAll(async () => {
  app = await testApp({ now: () => new Date(time) });
  owners = await openOwners(app.deps, 4);
  await app.settle();
});
afterAll(() => app?.close());

/** What may happen while something is announced. `how` is what the mail server does with the next message. */
const step = fc.oneof(
  fc.constant({ does: 'announce' } as const),
  fc.record({ does: fc.constant('break off' as const), after: fc.integer({ min: 0, max: 3 }) }),
  fc.record({
    does: fc.constant('deliver' as const),
    how: fc.constantFrom('takes', 'takes and is not heard', 'refuses for now'),
  }),
  fc.record({ does: fc.constant('die with some in hand' as const), some: fc.integer({ min: 1, max: 2 }) }),
  fc.record({ does: fc.constant('turn' as const), who: fc.nat(3), isOn: fc.boolean() }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** One announcement: what the mail server took, whom it may not have reached, who never turned it off. */
function aRun() {
  const news = aNewsletter();
  const taken: string[] = [];
  const inDoubt = new Set<string>();
  const tell = (db = app.deps.db) => announce({ ...app.deps, db }, news, aPace());

  async function breakOff(after: number): Promise<void> {
    let left = after;
    const query = (text: string, values?: unknown[]) => {
      if (text.includes('insert into state.outbox') && (left -= 1) < 0) throw new Error('broken off');
      return app.deps.db.query(text, values);
    };
    await tell({ query } as unknown as typeof app.deps.db).catch(() => {});
  }

  async function deliver(how = 'takes'): Promise<void> {
    time += HOUR;
    const send = async ({ to }: Readonly<{ to: string }>) => {
      if (how === 'refuses for now') throw new ProviderError('test', 'not now');
      taken.push(to);
      if (how === 'takes and is not heard') throw new DeliveryUncertainError('test', 'silence');
    };
    await deliverDue(testDelivery(app, { mail: { name: 'test', send } }));
  }

  async function die(some: number): Promise<void> {
    const { db, now } = app.deps;
    const { due: held } = await leaseDue(db, {
      kinds: ['announcement'],
      limit: some,
      leaseMs: 60_000,
      now: now(),
    });
    for (const { data } of held) inDoubt.add(String(data.accountId));
    await db.query(`update state.outbox set leased_until = 'epoch' where leased_until is not null`);
  }

  async function turn(who: number, newsletter: boolean): Promise<void> {
    const { accountId } = owners[who] as Owner;
    await changeNotifications(app.deps, { accountId }, { newsletter }, 'test');
  }

  async function carryOut(one: Step): Promise<unknown> {
    if (one.does === 'announce') return tell();
    if (one.does === 'break off') return breakOff(one.after);
    if (one.does === 'deliver') return deliver(one.how);
    if (one.does === 'die with some in hand') return die(one.some);
    return turn(one.who, one.isOn);
  }
  return { carryOut, tell, deliver, turn, taken, inDoubt };
}

test('whatever happens meanwhile no account is sent it twice, and each that always wanted it is sent it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 10 }), async (steps) => {
      const { carryOut, tell, deliver, turn, taken, inDoubt } = aRun();
      for (const one of steps) await carryOut(one);
      await tell();
      await deliver();
      expect(taken.length, 'twice').toBe(new Set(taken).size);
      const turned = steps.flatMap((one) => (one.does === 'turn' && !one.isOn ? owners[one.who] : []));
      const faithful = owners.filter((owner) => !turned.includes(owner) && !inDoubt.has(owner.accountId));
      expect(taken).toEqual(expect.arrayContaining(faithful.map(({ email }) => email)));
      for (const who of owners.keys()) await turn(who, true);
    }),
    { numRuns: 25 },
  );
});

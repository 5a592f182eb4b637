import { randomInt, randomUUID } from 'node:crypto';
import { test as base } from '@playwright/test';
import { type SeededBusiness, seedBusiness } from '#api/cli/seed/seed-business.ts';
import { createLogger } from '#api/http/log.ts';
import { openDatabase } from '#api/runtime/database.ts';
import { configure } from '#api/runtime/environment.ts';
import { openEventStore } from '#api/runtime/event-log.ts';
import { accountDecider } from '#core/account/decider.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { createSubjectKeys } from '#core/event-store/subject-keys.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { migrate } from '#migrations/run.ts';
import { createReadSide } from '#projections/runtime/read-side/read-side.ts';
import { aBusiness } from '#tests/support/app/fixtures.ts';

export type Account = Readonly<
  Pick<SeededBusiness, 'email' | 'phone' | 'password' | 'slug' | 'tradingName'> & { accountId: string }
>;
type Register = (
  wanted?: Partial<SeededBusiness>,
  /** `isNew` leaves it where a registration ends: at the welcome screen. */
  options?: Readonly<{ isNew?: boolean }>,
) => Promise<Account>;

/**
 * The browser test of a tradie who changes an account: `account` is one that no other test of the run has, past its welcome;
 * `register` opens more of them, in the product under test.
 */
export const test = base.extend<{ account: Account }, { register: Register }>({
  register: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
    async ({}, use) => {
      await using opened = new AsyncDisposableStack();
      const { UTE_URL, UTE_DATA_DIR } = process.env;
      const config = configure({ ...process.env, PUBLIC_ORIGIN: UTE_URL, DATA_DIR: UTE_DATA_DIR });
      const database = await openDatabase(config, createLogger('error'), migrate);
      opened.defer(() => database.close());
      const store = openEventStore(config, database);
      opened.defer(() => store.close());
      const { log: pool, url: connectionString } = database;
      const readSide = createReadSide({ pool, connectionString, store });
      opened.defer(() => readSide.close());
      const db = database.requests;
      const subjectKeys = createSubjectKeys({ pool: db, dataKey: config.keys.data });
      const clock = { now: () => new Date(), newId: () => Bun.randomUUIDv7() };
      const deps = { config, db, store, subjectKeys, ...clock };
      await use(async (wanted, { isNew = false } = {}) => {
        const registration = aBusiness({ ...nobodysContact(wanted?.region), ...wanted });
        const cause = { actor: 'seed', correlation: 'test' };
        const registered = await seedBusiness(deps, registration, { ...cause, commandId: randomUUID() });
        const { accountId } = registered;
        const { position } = isNew
          ? registered
          : await handleCommand(
              store,
              accountDecider,
              streamName('account', accountId),
              { type: 'FinishOnboarding', at: new Date().toISOString(), data: { accountId } },
              { ...cause, commandId: randomUUID() },
            );
        await readSide.waitFor(['accounts', 'public-form'], position, 20_000);
        return { ...registration, accountId };
      });
    },
    { scope: 'worker' },
  ],
  account: async ({ register }, use) => use(await register()),
});

/** What no two businesses may share, whichever of the workers opens them. */
function nobodysContact(region: SeededBusiness['region'] = 'au') {
  const unique = randomUUID().slice(0, 8);
  const digits = (amount: number) => String(randomInt(10 ** amount)).padStart(amount, '0');
  const phone = region === 'nz' ? `+6421${digits(7)}` : `+614${digits(8)}`;
  return { email: `owner.${unique}@acme.example`, phone, slug: `acme-${unique}` };
}

import '#core/kernel/schema-settings.ts';
import { Client } from 'pg';
import { checkpointFile } from '#api/proof/checkpoint-store.ts';
import { proveOnce } from '#api/proof/follow.ts';
import { statementKeyOf } from '#api/proof/statements.ts';
import { macKeyOf } from '#core/event-store/chain.ts';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import { SessionPool } from '#core/postgres/session.ts';
import { silentLog } from '#projections/runtime/failure.ts';
import { takeOrders } from '#tests/support/processes/workers.ts';

/** When the first look is, in milliseconds, how many there are, and the point to die at, 0 for none. */
export type ProofOrder = Readonly<{ begin: number; looks: number; fatal: number }>;

/**
 * A process of its own that looks at the log as often as it is told, a minute of its clock apart, each time without a lead, as two
 * processes do of which one has lost it unnoticed. It kills itself at the point that its order counts: before a statement is
 * sent, or once it was carried out and before its answer is there. Answers how many points it passed.
 */
const [connectionString = '', secret = '', file = ''] = process.argv.slice(2);
const dataKey = Buffer.from(secret, 'hex');
let [points, fatal] = [0, 0];
function pass(): void {
  points += 1;
  if (points === fatal) process.kill(process.pid, 'SIGKILL');
}

const { query } = Client.prototype;
const counted = function (this: Client, ...given: unknown[]) {
  pass();
  const answer = given.at(-1);
  if (typeof answer === 'function') {
    const counting = (...result: unknown[]) => {
      pass();
      answer(...result);
    };
    return Reflect.apply(query, this, [...given.slice(0, -1), counting]);
  }
  return Promise.resolve(Reflect.apply(query, this, given)).then((result) => {
    pass();
    return result;
  });
} as typeof query;

const outlet = checkpointFile(file);
await takeOrders<ProofOrder>(async ({ begin, looks, ...order }) => {
  const pool = new SessionPool({ connectionString });
  const store = createEmbeddedEventStore({ pool, connectionString, dataKey });
  await pool.query('select 1');
  [points, fatal] = [0, order.fatal];
  Client.prototype.query = counted;
  for (let look = 0; look < looks; look += 1) {
    await proveOnce(
      {
        ...{ log: store, pool, connectionString, host: 'jobs.example.com' },
        keys: { key: Buffer.alloc(32, 1), clock: Buffer.alloc(32, 2), before: null },
        ...{ macKey: macKeyOf(dataKey), statementKey: statementKeyOf(dataKey) },
        outlet: {
          newest: outlet.newest,
          async add(note) {
            pass();
            await outlet.add(note);
            pass();
          },
        },
        now: () => new Date(begin + look * 60_000),
      },
      silentLog,
      new AbortController().signal,
    );
  }
  Client.prototype.query = query;
  const passed = points;
  await store.close();
  await pool.end();
  return passed;
});

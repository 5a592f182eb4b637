import { type ProofOptions, proveOnce, startProof } from '#api/proof/follow.ts';
import { statementKeyOf } from '#api/proof/statements.ts';
import { macKeyOf } from '#core/event-store/chain.ts';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import { SessionPool } from '#core/postgres/session.ts';
import { silentLog } from '#projections/runtime/failure.ts';

/** Follows a log with the tree over it, as a worker does; prints a line once it has come to the end, until its input ends. */
const [connectionString = '', secret = ''] = process.argv.slice(2);
const dataKey = Buffer.from(secret, 'hex');
const pool = new SessionPool({ connectionString });
pool.on('error', () => {});
const store = createEmbeddedEventStore({ pool, connectionString, dataKey });
const options: ProofOptions = {
  ...{ log: store, pool, connectionString, host: 'bench.example.com' },
  keys: { key: Buffer.alloc(32, 1), clock: Buffer.alloc(32, 2), before: null },
  macKey: macKeyOf(dataKey),
  statementKey: statementKeyOf(dataKey),
  outlet: { add: async () => undefined, newest: async () => null },
  now: () => new Date(),
};
const never = new AbortController().signal;
while (await proveOnce(options, silentLog, never));
const proof = startProof(options);
console.log('ready');
for await (const _ of process.stdin);
await proof.stop();
await store.close();
await pool.end();

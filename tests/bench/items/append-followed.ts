import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import { closedLoop } from '#tests/bench/closed-loop.ts';
import { type Figure, type Item, type Log, perSecond } from '#tests/bench/figure.ts';
import { inPairs } from '#tests/bench/pairs.ts';
import { median, ratioOf } from '#tests/bench/statistics.ts';
import { appendsTo, onScratchDatabase } from './append.ts';

const LEAST = 0.97;
const PAIRS = 7;
/** Of a measurement: the follower looks at the end of the log every five seconds. */
const SECONDS = 10;

/** Appends while a worker follows the log with its tree, against the same alone. */
export const appendFollowed: Item = {
  name: 'append-followed',
  about: 'appends while the tree follows the log against the same alone, 1 and 16 clients: five minutes',
  measure: (log) =>
    onScratchDatabase(async (scratch, pool) => {
      const connectionString = scratch.url;
      const dataKey = randomBytes(32);
      const store = createEmbeddedEventStore({ pool, connectionString, dataKey });
      const follow = () => startFollower(connectionString, dataKey);
      try {
        const measured: Figure[] = [];
        for (const clients of [1, 16])
          measured.push(await compare(clients, appendsTo(store, clients), follow, log));
        return measured;
      } finally {
        await store.close();
      }
    }),
};

async function compare(
  clients: number,
  append: (client: number) => Promise<unknown>,
  follow: () => Promise<Readonly<{ stop(): Promise<unknown> }>>,
  log: Log,
): Promise<Figure> {
  const alone = () => closedLoop({ clients, seconds: SECONDS }, append);
  const followed = async () => {
    const follower = await follow();
    try {
      return await alone();
    } finally {
      await follower.stop();
    }
  };
  await closedLoop({ clients, seconds: 1 }, append);
  const pairs = await inPairs(PAIRS, followed, alone);
  log(
    `append that is followed, ${clients}: ${pairs.map((pair) => pair.map(Math.round).join(' : ')).join('  ')}`,
  );
  const ratio = ratioOf(pairs);
  return {
    what: `append while the tree follows, ${clients} ${clients === 1 ? 'client' : 'clients'}`,
    value: perSecond(median(pairs.map(([ours]) => ours))),
    control: perSecond(median(pairs.map(([, other]) => other))),
    ...{ ratio, budget: `≥ ${LEAST} of the same alone`, met: ratio.median >= LEAST },
  };
}

/** A process of its own, as a worker is one; it has taken what was appended before, which falls on no measurement. */
async function startFollower(connectionString: string, dataKey: Buffer) {
  const script = join(import.meta.dirname, '..', 'tree-follower.ts');
  const child = spawn(process.execPath, [script, connectionString, dataKey.toString('hex')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  await Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => Promise.reject(new Error('the follower ended'))),
  ]);
  return {
    stop() {
      child.stdin.end();
      return ended;
    },
  };
}

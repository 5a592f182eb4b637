import '#core/kernel/schema-settings.ts';
import { createBackup } from '#api/backup/back-up.ts';
import { type BackupTarget, folderTarget } from '#api/providers/backup-target.ts';
import { localFiles } from '#api/providers/files.ts';
import { openEmbeddedLog } from '#core/event-store/embedded/event-store.ts';
import { SessionPool } from '#core/postgres/session.ts';
import { backupKeys, logKey } from '#tests/support/log/running-log.ts';
import { takeOrders } from '#tests/support/processes/workers.ts';

/** When it is, in milliseconds, and the point to die at, 0 for none. */
export type BackupOrder = Readonly<{ at: number; fatal: number }>;

/**
 * A process of its own that takes a backup of everything each time it is told to, and kills itself at the point that its order counts:
 * before, in the middle of or after a call of the target, and before each step. Answers how many points it passed.
 */
const [connectionString = '', folder = '', recipient = ''] = process.argv.slice(2);
let [points, fatal] = [0, 0];
function pass(): boolean {
  points += 1;
  return points === fatal;
}
const die = () => process.kill(process.pid, 'SIGKILL');

/** Around one call: the one in the middle lets it begin, and some of its system calls go out. */
async function around<T>(call: () => Promise<T>): Promise<T> {
  if (pass()) die();
  const called = call();
  if (pass()) {
    for (let turn = 0; turn < points % 5; turn += 1) await new Promise(setImmediate);
    die();
  }
  const result = await called;
  if (pass()) die();
  return result;
}

const whole = folderTarget(`${folder}/target`);
const target: BackupTarget = {
  ...whole,
  put: (name, bytes) => around(() => whole.put(name, bytes)),
  remove: (name) => around(() => whole.remove(name)),
};
await takeOrders<BackupOrder>(async (order) => {
  [points, fatal] = [0, order.fatal];
  const pool = new SessionPool({ connectionString });
  const log = openEmbeddedLog({ pool, connectionString });
  await createBackup({
    ...{ target, recipient, pool, logKey, keys: backupKeys },
    log: { ...log, kind: 'embedded' },
    files: localFiles(`${folder}/files`),
    ...{ ledger: `${folder}/erasures.log`, checkpoints: async () => '' },
    now: () => new Date(order.at),
    beforeStep: async () => {
      if (pass()) die();
    },
  }).run({ whole: true });
  await log.close();
  await pool.end();
  return points;
});

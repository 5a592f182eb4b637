import '#core/kernel/schema-settings.ts';
import { Pool } from 'pg';
import { createBackup } from '#api/backup/back-up.ts';
import { type BackupTarget, folderTarget } from '#api/providers/backup-target.ts';
import { localFiles } from '#api/providers/files.ts';
import { openEmbeddedLog } from '#core/event-store/embedded/event-store.ts';
import { backupKeys, logKey } from '#tests/support/log/running-log.ts';

/**
 * A process of its own that takes one backup of everything, and kills itself at the point that its last argument counts:
 * before, in the middle of or after a call of the target, and before each step. Prints how many points it passed.
 */
const [connectionString = '', folder = '', recipient = '', at = '0', fatal = '0'] = process.argv.slice(2);
let points = 0;
function pass(): boolean {
  points += 1;
  return points === Number(fatal);
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

const pool = new Pool({ connectionString });
const log = openEmbeddedLog({ pool, connectionString });
const whole = folderTarget(`${folder}/target`);
const target: BackupTarget = {
  ...whole,
  put: (name, bytes) => around(() => whole.put(name, bytes)),
  remove: (name) => around(() => whole.remove(name)),
};
await createBackup({
  ...{ target, recipient, pool, logKey, keys: backupKeys },
  log: { ...log, kind: 'embedded' },
  files: localFiles(`${folder}/files`),
  ...{ ledger: `${folder}/erasures.log`, checkpoints: async () => '' },
  now: () => new Date(Number(at)),
  beforeStep: async () => {
    if (pass()) die();
  },
}).run({ whole: true });
process.stdout.write(String(points));
await log.close();
await pool.end();

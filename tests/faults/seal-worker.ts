import '#core/kernel/schema-settings.ts';
import type { Pool } from 'pg';
import { sealFiles } from '#api/businesses/files/seal-files.ts';
import { type FileStore, localFiles } from '#api/providers/files.ts';
import { sealedFiles } from '#api/providers/sealed-files.ts';
import { createSubjectKeys } from '#core/event-store/subject-keys.ts';
import { SessionPool } from '#core/postgres/session.ts';
import { takeOrders } from '#tests/support/processes/workers.ts';

/**
 * A process of its own that seals the files of a folder each time it is told to, with nothing left of the time before, and kills
 * itself in the middle of the step that its order counts: statements, and pieces that are written. Answers how many steps it made.
 */
const [connectionString = '', dataKey = '', folder = ''] = process.argv.slice(2);
const pool = new SessionPool({ connectionString });
let [steps, fatal] = [0, 0];
const step = () => {
  if ((steps += 1) === fatal) process.kill(process.pid, 'SIGKILL');
};
const db = {
  async query(text: string, values?: unknown[]) {
    const answer = await pool.query(text, values);
    step();
    return answer;
  },
} as unknown as Pool;
const disk = localFiles(folder);
const files: FileStore = {
  ...disk,
  put(key, bytes, type) {
    if (bytes instanceof Uint8Array) return disk.put(key, bytes, type);
    const { length } = bytes;
    return disk.put(key, { length, [Symbol.iterator]: () => stepping(bytes) }, type).then(step);
  },
  async remove(key) {
    await disk.remove(key);
    step();
  },
};

function* stepping(pieces: Iterable<Uint8Array>) {
  for (const piece of pieces) {
    yield piece;
    step();
  }
}

const logger = { error() {} };
await takeOrders<number>(async (order) => {
  [steps, fatal] = [0, order];
  const subjectKeys = createSubjectKeys({ pool: db, dataKey: Buffer.from(dataKey, 'hex') });
  await sealFiles({
    ...{ db, subjectKeys, now: () => new Date() },
    files: sealedFiles({ files, subjectKeys, logger }),
  });
  return steps;
});

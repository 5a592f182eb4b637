import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import type { Pool } from 'pg';
import { type Figure, type Item, kilobytes } from '#tests/bench/figure.ts';
import {
  benchFolder,
  database,
  fill,
  type Installation,
  makeEmpty,
  prepared,
  product,
  ute,
} from '#tests/bench/prepared.ts';
import { signIn } from '#tests/bench/signed-in.ts';
import { workingJobs } from './command-to-visible.ts';

/** Some 20,000 events. */
const JOBS = 5_000;
/** How long the product backs itself up, in seconds, and between two changes and looks. */
const [WATCHED, LOOK_EVERY] = [200, 0.5];

const folder = join(benchFolder, 'backups');
const identityFile = join(folder, 'identity.txt');

/** `ute backup`, an erasure, the next one, `ute restore` and its drill; and how far behind the backups of the worker are. */
export const restore: Item = {
  name: 'restore',
  about: `backup and restore of ${JOBS} jobs, and how far behind the worker's backups are`,
  async measure(log): Promise<Figure[]> {
    await fill('backed-up', { businesses: 2, jobs: 20, heavy: JOBS }, log);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const identity = await generateX25519Identity();
    const recipient = await identityToRecipient(identity);
    writeFileSync(identityFile, `${identity}\n`);
    try {
      const target = join(folder, 'once');
      const takeBackup = () =>
        timed('backed-up', ['backup', '--once', '--to', target, '--recipient', recipient]);
      const backup = await takeBackup();
      await forgetOne();
      const second = await takeBackup();
      const from = ['restore', '--from', target, '--identity', identityFile];
      makeEmpty('restored', 'backed-up');
      const restored = await timed('restored', from);
      const drill = await timed('backed-up', [...from, '--verify']);
      if (!drill.said.includes('\n1 erased, 0 of them with a key\n'))
        throw new Error(`the drill said: ${drill.said}`);
      log(drill.said.trim());
      const behind = await farthestBehind(recipient);
      const events = Number(/: (\d+) events/.exec(second.said)?.[1]);
      return [
        info(`backup of ${events.toLocaleString('en')} events`, backup.seconds, `${size(drill.said)} in all`),
        info('the next one, after an erasure', second.seconds),
        info('restore into an empty installation', restored.seconds),
        info('drill: restore, chains, read models, keys', drill.seconds),
        {
          what: 'log and keys behind, the most',
          ...{ value: `${behind.toFixed(1)} s`, budget: '≤ 60 s', met: behind <= 60 },
          note: `changes twice a second for ${WATCHED} s`,
        },
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

const info = (what: string, seconds: number, note?: string): Figure => {
  const value = `${seconds.toFixed(1)} s`;
  return { what, value, budget: '', met: null, ...(note === undefined ? {} : { note }) };
};

const size = (said: string) => kilobytes(Number(/^(\d+) kB in the backup/m.exec(said)?.[1]) * 1_000);

/** Runs `ute`, and answers what it said and the seconds of the whole command. */
async function timed(installation: Installation, words: readonly string[]) {
  const began = performance.now();
  const said = await ute(installation, words);
  return { said, seconds: (performance.now() - began) / 1_000 };
}

async function forgetOne(): Promise<void> {
  const bare = await database('backed-up', 1);
  try {
    const [job] = await workingJobs(bare.pool);
    await ute('backed-up', ['forget', 'job', job?.job_id ?? '', '--now']);
  } finally {
    await bare.close();
  }
}

/** The longest that the last backup lay back at any moment, in seconds, while the product was used. */
async function farthestBehind(recipient: string): Promise<number> {
  const settings = { BACKUP_TO: join(folder, 'worker'), BACKUP_RECIPIENT: recipient };
  const running = await product('backed-up', settings);
  const bare = await database('backed-up', 1);
  try {
    const tradie = await signIn(running.url, prepared('backed-up'));
    const jobs = await workingJobs(bare.pool);
    await bare.pool.query('delete from state.backups');
    let most = 0;
    for (let look = 0; look * LOOK_EVERY < WATCHED; look += 1) {
      const job = jobs[look % jobs.length];
      const status = job?.status === 'In progress' ? 'Quoted' : 'In progress';
      await tradie.put(`/api/jobs/${job?.job_id}`, { status });
      most = Math.max(most, await behindNow(bare.pool));
      await Bun.sleep(LOOK_EVERY * 1_000);
    }
    tradie.close();
    return most;
  } finally {
    await bare.close();
    await running.stop();
  }
}

async function behindNow(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ seconds: number | null }>(
    `select max(extract(epoch from now() - at))::float as seconds from state.backups where part in ('log', 'keys')`,
  );
  return rows[0]?.seconds ?? 0;
}

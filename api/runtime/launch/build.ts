import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compressFiles } from '#api/runtime/compression.ts';

const sources = [
  ...['site/**/*', 'core/**/*.ts', 'api/runtime/launch/build.ts', 'api/runtime/compression.ts'],
  ...['package.json', 'bun.lock'],
];
const notBuilt = /\.test\.tsx?$|(^|\/)(node_modules|\.astro)\//;

/** Builds the site into `dist/` unless it is there, built from the same sources. */
export async function ensureSite(signal?: AbortSignal): Promise<void> {
  await doOnce('dist/.ute-site', hashFiles(sources, notBuilt), async () => {
    console.error('Building the site …');
    await runTool(
      [process.execPath, '--bun', 'node_modules/astro/bin/astro.mjs', 'build', '--root', 'site'],
      'Building the site',
      // A test run's NODE_ENV would ship React's development build.
      { signal, env: { NODE_ENV: 'production' } },
    );
    await compressFiles(join(root, 'dist', 'client'), join(root, 'dist', 'compressed'));
  });
}

/** Installs exactly what `bun.lock` names, unless that is what is there already. Works offline then. */
export async function ensurePackages(signal?: AbortSignal): Promise<void> {
  const wanted = `${hashFiles(['package.json', 'bun.lock'])} ${process.platform}-${process.arch}`;
  await doOnce('node_modules/.ute-packages', wanted, async () => {
    console.error('Installing packages …');
    await runTool([process.execPath, 'install', '--frozen-lockfile'], 'Installing packages', { signal });
  });
}

/** The checkout that this file is part of. */
export const root = join(import.meta.dirname, '..', '..', '..');

/** One hash over the contents and names of the files that match, below the checkout. */
function hashFiles(patterns: readonly string[], ignored: RegExp = /(?!)/): string {
  const hasher = new Bun.CryptoHasher('sha256');
  const files = patterns.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: root, dot: false })]);
  for (const file of files.filter((name) => !ignored.test(name)).sort()) {
    hasher
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0');
  }
  return hasher.digest('hex');
}

/** Runs `work` unless the stamp says that it was done for the same `hash`; a run that fails leaves no stamp. */
async function doOnce(stamp: string, hash: string, work: () => Promise<void>): Promise<void> {
  const file = join(root, stamp);
  if (existsSync(file) && readFileSync(file, 'utf8') === hash) return;
  rmSync(file, { force: true });
  await work();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, hash);
}

export type ToolOptions = Readonly<{
  signal?: AbortSignal | undefined;
  /** On top of this process's own environment. */
  env?: Readonly<Record<string, string>>;
}>;

/** Runs a program, silent unless it fails: then its output goes to stderr, since stdout is for what scripts read. */
async function runTool(
  command: readonly string[],
  doing: string,
  { signal, env = {} }: ToolOptions = {},
): Promise<void> {
  const child = Bun.spawn([...command], {
    cwd: root,
    env: { ...process.env, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    ...(signal && { signal }),
  });
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code === 0) return;
  process.stderr.write(output + errors);
  throw new Error(`${doing} failed (exit code ${code}); its output is above.`);
}

if (import.meta.main) {
  await ensurePackages();
  await ensureSite();
}

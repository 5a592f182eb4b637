import { doOnce, hashFiles, runTool } from './build-stamps.ts';
import { ensurePackages } from './packages.ts';

const sources = ['site/**/*', 'core/**/*.ts', 'api/runtime/launch/build.ts', 'package.json', 'bun.lock'];
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
  });
}

if (import.meta.main) {
  await ensurePackages();
  await ensureSite();
}

import { doOnce, hashFiles, runTool } from './build-stamps.ts';

/** Installs exactly what `bun.lock` names, unless that is what is there already. Works offline then. */
export async function ensurePackages(signal?: AbortSignal): Promise<void> {
  const wanted = `${hashFiles(['package.json', 'bun.lock'])} ${process.platform}-${process.arch}`;
  await doOnce('node_modules/.ute-packages', wanted, async () => {
    console.error('Installing packages …');
    await runTool([process.execPath, 'install', '--frozen-lockfile'], 'Installing packages', { signal });
  });
}

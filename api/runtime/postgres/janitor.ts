import { spawn } from 'node:child_process';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

/**
 * Makes sure that this process, should it exit without stopping its server (a second Ctrl-C, a crash), leaves a process
 * behind who does: another process that joins the server and, unless others still use it, stops it.
 * @returns the way to call it off
 */
export function leaveJanitor(dataDir: string): () => void {
  const onExit = () => {
    const janitor = spawn(process.execPath, [import.meta.filename, dataDir], {
      detached: true,
      stdio: 'ignore',
    });
    janitor.unref();
  };
  process.once('exit', onExit);
  return () => process.off('exit', onExit);
}

if (import.meta.main) {
  const [, , dataDir = ''] = process.argv;
  const { stop } = await startEmbeddedPostgres({ dataDir });
  await stop();
}

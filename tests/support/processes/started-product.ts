import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '#api/runtime/listen.ts';
import { tempFolder } from '#tests/support/run/temp-folder.ts';

export type Product = Readonly<{
  url: string;
  publicForm: string;
  demo: Readonly<{ email: string; password: string }>;
  dataDir: string;
  child: ChildProcess;
  /** Stops it as Ctrl-C does, and removes its data unless the caller brought them. */
  stop(): Promise<void>;
  /** kill -9: leaves data, and Postgres running on them. */
  kill(): Promise<void>;
}>;

export type ProductOptions = Readonly<{
  /** Data that outlive this instance; without it they are new and temporary. */
  dataDir?: string;
  env?: Readonly<Record<string, string>>;
  /** A file's descriptor for its log; without it the log goes where the caller's does. */
  log?: number;
}>;

const root = join(import.meta.dirname, '..', '..', '..');

/** Starts the real product as a process of its own, on a free port; resolves once it is ready. */
export async function startProduct({ dataDir, env = {}, log }: ProductOptions = {}): Promise<Product> {
  const folder = dataDir ? null : tempFolder('product');
  const data = dataDir ?? folder?.path ?? '';
  const child = spawn(process.execPath, ['api/start.ts', '--json', '--port', String(freePort('127.0.0.1'))], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'test', LOG_LEVEL: 'error', ...env, DATA_DIR: data },
    stdio: ['ignore', 'pipe', log ?? 'inherit'],
  });
  const ended = once(child, 'exit');
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  const stop = async () => {
    await end('SIGINT');
    folder?.remove();
  };
  const line = await Promise.race([firstLine(child), ended.then(() => null)]);
  if (line === null) {
    folder?.remove();
    throw new Error(`The product ended with exit code ${child.exitCode} before it was ready.`);
  }
  return { ...JSON.parse(line), dataDir: data, child, stop, kill: () => end('SIGKILL') };
}

/** Keeps reading after the first line: a child whose output is not read would end on the next line that it logs. */
async function firstLine(child: ChildProcess): Promise<string | null> {
  if (!child.stdout) return null;
  const [line] = await once(createInterface(child.stdout), 'line');
  return line;
}

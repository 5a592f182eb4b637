import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Running } from '#api/main.ts';
import { freePort } from '#api/runtime/listen.ts';
import { type Answer, type Client, fetchClient } from '#tests/support/app/api-client.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import type { Hosted, HostedCommand } from './hosted.ts';

export type SignedInClient = Client & Readonly<{ token: string }>;

export type Ute = Omit<Running, 'stop'> &
  Readonly<{
    child: ChildProcess;
    /** Resolves with how it ended. */
    ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
    /** Calls through HTTP. */
    client: Client;
    /** Signs the demo's owner in; calls through the answer carry the bearer token. */
    signIn(demo?: Running['demo']): Promise<SignedInClient>;
    /** The status of a path, 0 when no server answers. */
    status(path: string): Promise<number>;
  }>;

/** The arguments by which Bun runs a process of `hosted.ts`. */
const hosting = (what: Hosted) => [join(import.meta.dirname, 'hosted.ts'), what];

/** Starts a process of Ute on a free port; resolves once it listens. `DATABASE_URL` and `DATA_DIR` are the caller's. */
export async function startUteProcess(env: Readonly<Record<string, string>>): Promise<Ute> {
  const child = spawn(process.execPath, hosting('product'), {
    env: {
      ...process.env,
      ...{
        NODE_ENV: 'test',
        LOG_LEVEL: 'error',
        RATE_LIMITS: 'off',
        BOT_CHECK_COST: '1',
        PASSWORD_MEMORY: '64',
        FORM_LEAST_SECONDS: '0',
        PORT: '0',
      },
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  const line = await Promise.race([once(createInterface(child.stdout), 'line'), ended.then(() => null)]);
  if (line === null) throw new Error(`Ute ended with exit code ${child.exitCode} before it listened.`);
  const running: Omit<Running, 'stop'> = JSON.parse(line[0]);
  const client = fetchClient(running.url);
  return {
    ...running,
    child,
    ended,
    client,
    async signIn(demo = running.demo) {
      const answer = await comingAgain(() => client.post('/api/authenticate/login', demo ?? {}));
      if (answer.status !== 200) throw new Error(`login answered ${answer.status}`);
      const { token } = answer.body;
      return { ...fetchClient(running.url, { authorization: `Bearer ${token}` }), token };
    },
    status: (path) =>
      client.get(path).then(
        ({ status }) => status,
        () => 0,
      ),
  };
}

/** How long a busy machine may answer 503 before that is the answer, and how often it is asked, in milliseconds. */
const BUSY = { longest: 20_000, askEvery: 50 } as const;

/** Asks until the answer is another than 503: a process that has lost or not yet found its database refuses at once. */
export async function comingAgain(ask: () => Promise<Answer>): Promise<Answer> {
  const since = performance.now();
  let answer = await ask();
  while (answer.status === 503 && performance.now() - since < BUSY.longest) {
    await new Promise((resolve) => setTimeout(resolve, BUSY.askEvery));
    answer = await ask();
  }
  return answer;
}

/** The same client, coming again. For what may be asked twice. */
export function patiently(client: Client): Client {
  return {
    get: (...args) => comingAgain(() => client.get(...args)),
    post: (...args) => comingAgain(() => client.post(...args)),
    put: (...args) => comingAgain(() => client.put(...args)),
    delete: (...args) => comingAgain(() => client.delete(...args)),
    send: (...args) => comingAgain(() => client.send(...args)),
  };
}

/** Ends processes however they stand, for `afterAll`. */
export async function killAll(processes: readonly Ute[]): Promise<void> {
  for (const { child } of processes) child.kill('SIGKILL');
  await Promise.all(processes.map(({ ended }) => ended));
}

const commandLine = new URL('../../../api/cli.ts', import.meta.url).pathname;

export type Ran = Readonly<{ out: string; err: string; code: number | null }>;

/** Whether no test of this run has run this command before, in whichever process: each call says so of a command once. */
async function isFirstOf(command: string): Promise<boolean> {
  // Only here: the browser tests start the product by this file, and are not Vitest's.
  const { inject } = await import('vitest');
  try {
    mkdirSync(join(inject('database').folder, `ran-${command}`));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Runs the command line with nothing but pipes and waits for its end: in a process of its own when it is the first of that command
 * in a run of the tests, which shows that it ends by itself; else in a host that has loaded it, at a quarter of the processor time.
 */
export async function runUte(environment: Record<string, string>, ...words: string[]): Promise<Ran> {
  const whole = { ...process.env, NODE_ENV: 'development', ...environment } as Record<string, string>;
  const [name = ''] = words;
  if (!(await isFirstOf(name)))
    return runInHost({ environment: whole, words, end: `\0${crypto.randomUUID()}\0` });
  const child = spawn('bun', [commandLine, ...words], { env: whole, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { out, err, code };
}

type Host = Readonly<{ child: ChildProcess; out: Readable; err: Readable; broken: Promise<never> }>;
const idleHosts: Host[] = [];

function startHost(): Host {
  const child = spawn('bun', hosting('commands'), { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const { stdout: out, stderr: err } = child as ChildProcess & { stdout: Readable; stderr: Readable };
  out.setEncoding('utf8');
  err.setEncoding('utf8');
  const broken = once(child, 'exit').then(() => {
    throw new Error('The host of commands ended in the middle of one.');
  });
  broken.catch(() => {});
  return { child, out, err, broken };
}

async function runInHost(command: HostedCommand): Promise<Ran> {
  const host = idleHosts.pop() ?? startHost();
  const code = new Promise<number>((resolve) => host.child.once('message', resolve));
  host.child.send(command);
  const said = Promise.all([textUntil(host.out, command.end), textUntil(host.err, command.end), code]);
  const [out, err, ended] = await Promise.race([said, host.broken]);
  idleHosts.push(host);
  return { out, err, code: ended };
}

/** What a stream says before the mark, behind which it says nothing. */
function textUntil(stream: Readable, mark: string): Promise<string> {
  return new Promise((resolve) => {
    let said = '';
    stream.on('data', function hear(chunk: string) {
      said += chunk;
      if (!said.endsWith(mark)) return;
      stream.off('data', hear);
      resolve(said.slice(0, -mark.length));
    });
  });
}

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

/** Starts the product for the browser tests, which find it in the environment; answers the way to stop it. */
export default async function setup(): Promise<() => Promise<void>> {
  const product = await startProduct({
    env: { RATE_LIMITS: 'off', BOT_CHECK_COST: '1', FORM_LEAST_SECONDS: '0', PASSWORD_MEMORY: '64' },
  });
  process.env.UTE_URL = product.url;
  process.env.UTE_DATA_DIR = product.dataDir;
  process.env.UTE_PUBLIC_FORM = product.publicForm;
  process.env.UTE_DEMO_EMAIL = product.demo.email;
  process.env.UTE_DEMO_PASSWORD = product.demo.password;
  return product.stop;
}

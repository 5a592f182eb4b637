import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Running } from '#api/runtime/launch/running.ts';
import { type Answer, type Client, fetchClient } from './api-client.ts';

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

const productScript = join(import.meta.dirname, 'ute-process.ts');

/** Starts a process of Ute on a free port; resolves once it listens. `DATABASE_URL` and `DATA_DIR` are the caller's. */
export async function startUteProcess(env: Readonly<Record<string, string>>): Promise<Ute> {
  const child = spawn(process.execPath, [productScript], {
    env: {
      ...process.env,
      ...{
        NODE_ENV: 'test',
        LOG_LEVEL: 'error',
        RATE_LIMITS: 'off',
        BOT_CHECK_COST: '50',
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

const commandLine = new URL('../../api/cli.ts', import.meta.url).pathname;

export type Ran = Readonly<{ out: string; err: string; code: number | null }>;

/** Runs the command line in a process of its own, with nothing but pipes, and waits for its end. */
export async function runUte(environment: Record<string, string>, ...words: string[]): Promise<Ran> {
  const child = spawn('bun', [commandLine, ...words], {
    env: { ...process.env, NODE_ENV: 'development', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const read = async (stream: AsyncIterable<Buffer>) => {
    let text = '';
    for await (const chunk of stream) text += chunk;
    return text;
  };
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const [out, err, code] = await Promise.all([read(child.stdout), read(child.stderr), ended]);
  return { out, err, code };
}

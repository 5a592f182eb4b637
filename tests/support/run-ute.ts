import { spawn } from 'node:child_process';

const script = new URL('../../api/cli.ts', import.meta.url).pathname;

export type Ran = Readonly<{ out: string; err: string; code: number | null }>;

/** Runs the command line in a process of its own, with nothing but pipes, and waits for its end. */
export async function runUte(environment: Record<string, string>, ...words: string[]): Promise<Ran> {
  const child = spawn('bun', [script, ...words], {
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

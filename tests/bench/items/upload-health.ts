import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Figure, type Item, milliseconds } from '#tests/bench/figure.ts';
import { createHttpClient } from '#tests/bench/http-client.ts';
import { openLoop, type Sent, soundness, together } from '#tests/bench/open-loop.ts';
import { inPairs } from '#tests/bench/pairs.ts';
import { prepared, product } from '#tests/bench/prepared.ts';
import { percentile, ratioOf } from '#tests/bench/statistics.ts';

const PAIRS = 3;
const ROUND = { perSecond: 50, seconds: 10 } as const;
/** Looks at the form before the first round: a process that has just started compiles and connects. */
const WARM_UP = { perSecond: 50, seconds: 4 } as const;
/** What an answer may take while uploads come in, in milliseconds. */
const BUDGET = 100;

/** Answers about health while 80 clients send a form files of 26 MB, against a bare server that reads them and forgets. */
export const uploadHealth: Item = {
  name: 'upload-health',
  about: 'health while 80 clients send 26 MB each to a form, against a bare server that reads and forgets',
  async measure(log): Promise<Figure[]> {
    const path = `/t/${prepared('small').slug}`;
    const ute = await product('small', { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1' });
    const reader = await startReader();
    try {
      await lookAt(ute.url, path);
      const pairs = await inPairs(
        PAIRS,
        () => underUploads(ute.url, '/api/health/live', path),
        () => underUploads(reader.url, '/', path),
      );
      log(pairs.map((pair) => pair.map((sent) => milliseconds(most(sent))).join(' : ')).join('  '));
      return figures(pairs);
    } finally {
      reader.stop();
      await ute.stop();
    }
  },
};

async function lookAt(server: string, path: string): Promise<void> {
  const client = createHttpClient(server);
  await openLoop(WARM_UP, () => client.request('GET', path));
  client.close();
}

const most = ({ latencies }: Sent) => Math.max(...latencies);

/** What health answered meanwhile, from the moment on at which all senders are connected. */
async function underUploads(server: string, health: string, form: string): Promise<Sent> {
  const client = createHttpClient(server);
  const senders = await startScript('upload-senders.ts', server, form);
  try {
    return await openLoop(ROUND, async (index) => {
      const from = { 'x-forwarded-for': `198.51.100.${index % 250}` };
      const { status } = await client.request('GET', health, from);
      if (status !== 200) throw new Error(`${health} answered ${status}`);
    });
  } finally {
    senders.stop();
    client.close();
  }
}

function figures(pairs: readonly (readonly [Sent, Sent])[]): Figure[] {
  const { isVoid, note } = soundness(together(pairs.flat()));
  return [0.5, 0.99, 1].map((share) => {
    const of = ({ latencies }: Sent) => percentile(latencies, share);
    const [subject, control] = [0, 1].map((side) => Math.max(...pairs.map((pair) => of(pair[side] as Sent))));
    const isMost = share === 1;
    return {
      what: `health under uploads, ${isMost ? 'the slowest answer' : `p${share * 100}`}, worst round`,
      ...{ value: milliseconds(subject ?? Number.NaN), control: milliseconds(control ?? Number.NaN) },
      ratio: ratioOf(pairs.map(([one, other]) => [of(one), of(other)])),
      budget: isMost ? `≤ ${BUDGET} ms` : '',
      met: isMost && !isVoid ? (subject ?? Number.NaN) <= BUDGET : null,
      note,
    };
  });
}

const startReader = () => startScript('reading-server.ts');

/** Starts a script of this folder, and waits for the first line that it writes. */
async function startScript(script: string, ...words: readonly string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', script), ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { url, stop: () => void child.kill() };
}

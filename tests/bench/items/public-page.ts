import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { closedLoop } from '#tests/bench/closed-loop.ts';
import { type Figure, type Item, perSecond } from '#tests/bench/figure.ts';
import { createHttpClient } from '#tests/bench/http-client.ts';
import { inPairs } from '#tests/bench/pairs.ts';
import { prepared, product } from '#tests/bench/prepared.ts';
import { processorSeconds } from '#tests/bench/processes.ts';
import { median, ratioOf } from '#tests/bench/statistics.ts';

const PAIRS = 7;
const ROUND = { clients: 32, seconds: 3 } as const;

/** The public page against its own bytes as a constant of a bare Elysia server. */
export const publicPage: Item = {
  name: 'public-page',
  about: '/t/{slug} against the same bytes as a constant',
  async measure(log): Promise<Figure[]> {
    const path = `/t/${prepared('main').slug}`;
    const ute = await product('main');
    const constant = await startConstant(`${ute.url}${path}`);
    try {
      const subject = sampler(ute.url, ute.child.pid ?? 0, path);
      const control = sampler(constant.url, constant.pid, path);
      await subject.sample();
      await control.sample();
      const pairs = await inPairs(PAIRS, subject.sample, control.sample);
      subject.close();
      control.close();
      log(pairs.map(([a, b]) => `${Math.round(a.rate)} : ${Math.round(b.rate)}`).join('  '));
      return figures(pairs);
    } finally {
      constant.stop();
      await ute.stop();
    }
  },
};

type Sample = Readonly<{ rate: number; cost: number }>;

function figures(pairs: readonly (readonly [Sample, Sample])[]): Figure[] {
  const rate = ratioOf(pairs.map(([a, b]) => [a.rate, b.rate]));
  const cost = ratioOf(pairs.map(([a, b]) => [b.cost, a.cost]));
  const of = (which: 0 | 1) => perSecond(median(pairs.map((pair) => pair[which].rate)));
  return [
    {
      ...{ what: '/t/{slug}, requests', value: of(0), control: of(1), ratio: rate },
      ...{ budget: '≥ 60 % of the constant', met: rate.median >= 0.6 },
    },
    {
      ...{ what: '/t/{slug}, requests per second of processor', budget: '', met: null, ratio: cost },
      value: perSecond(1 / median(pairs.map(([a]) => a.cost))),
      control: perSecond(1 / median(pairs.map(([, b]) => b.cost))),
    },
  ];
}

function sampler(url: string, pid: number, path: string) {
  const client = createHttpClient(url);
  const headers = { 'accept-encoding': 'gzip, br' };
  return {
    close: () => client.close(),
    async sample(): Promise<Sample> {
      const before = processorSeconds(pid) ?? Number.NaN;
      const rate = await closedLoop(ROUND, async () => {
        const { status } = await client.request('GET', path, headers);
        if (status !== 200) throw new Error(`${path} answered ${status}`);
      });
      const used = (processorSeconds(pid) ?? Number.NaN) - before;
      return { rate, cost: used / (rate * ROUND.seconds) };
    },
  };
}

async function startConstant(page: string) {
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'constant-server.ts'), page], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { url, pid: child.pid ?? 0, stop: () => void child.kill() };
}

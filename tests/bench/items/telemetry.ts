import { closedLoop } from '#tests/bench/closed-loop.ts';
import { type Figure, type Item, perSecond } from '#tests/bench/figure.ts';
import { inPairs } from '#tests/bench/pairs.ts';
import { database, prepared, product } from '#tests/bench/prepared.ts';
import { processorSeconds } from '#tests/bench/processes.ts';
import { signIn } from '#tests/bench/signed-in.ts';
import { median, ratioOf } from '#tests/bench/statistics.ts';
import { workingJobs } from './command-to-visible.ts';

const PAIRS = 7;
const ROUND = { clients: 4, seconds: 3 } as const;

/**
 * Requests to a process that exports spans against one that exports none, on one installation. A worker beside them keeps the
 * read models for both, so its batches and messages are not in the figures. The collector takes everything and reads nothing.
 */
export const telemetry: Item = {
  name: 'telemetry',
  about: 'requests and commands with spans exported over OTLP against the same without',
  async measure(log): Promise<Figure[]> {
    await using opened = new AsyncDisposableStack();
    const collector = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: takeAll });
    opened.defer(() => collector.stop(true));
    const installation = 'small';
    const start = async (role: 'worker' | 'api', env: Record<string, string> = {}) => {
      const started = await product(installation, { ROLE: role, ...env });
      opened.defer(() => started.stop());
      return started;
    };
    const open = await database(installation);
    opened.defer(() => open.close());
    await start('worker');
    const traced = await start('api', { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}` });
    const plain = await start('api');
    const jobs = await workingJobs(open.pool);
    const measured: Figure[] = [];
    for (const what of ['list of 75', 'change of status'] as const) {
      const sampler = async ({ url, child }: typeof plain) => {
        const tradie = await signIn(url, prepared(installation));
        opened.defer(async () => tradie.close());
        let turn = 0;
        return async (): Promise<Sample> => {
          const before = processorSeconds(child.pid ?? 0) ?? Number.NaN;
          let sent = 0;
          const rate = await closedLoop(ROUND, async () => {
            sent += 1;
            if (what === 'list of 75') return tradie.get('/api/jobs?limit=75');
            const job = jobs[turn++ % jobs.length];
            if (!job) throw new Error('the heavy business has no job to change');
            job.status = job.status === 'In progress' ? 'Quoted' : 'In progress';
            return tradie.put(`/api/jobs/${job.job_id}`, { status: job.status });
          });
          return { rate, cost: ((processorSeconds(child.pid ?? 0) ?? Number.NaN) - before) / sent };
        };
      };
      const [subject, control] = [await sampler(traced), await sampler(plain)];
      await subject();
      await control();
      const pairs = await inPairs(PAIRS, subject, control);
      log(`${what}: ${pairs.map(([a, b]) => `${milli(a.cost)} : ${milli(b.cost)}`).join('  ')}`);
      measured.push(...figures(what, pairs));
    }
    return measured;
  },
};

/** `rate` in requests a second, `cost` in seconds of processor for one. */
type Sample = Readonly<{ rate: number; cost: number }>;

const milli = (seconds: number) => `${(seconds * 1_000).toFixed(2)} ms`;

async function takeAll(request: Request): Promise<Response> {
  await request.arrayBuffer();
  return Response.json({});
}

function figures(what: string, pairs: readonly (readonly [Sample, Sample])[]): Figure[] {
  const cost = ratioOf(pairs.map(([a, b]) => [a.cost, b.cost]));
  const rate = ratioOf(pairs.map(([a, b]) => [a.rate, b.rate]));
  const of = (which: 0 | 1, part: keyof Sample) => median(pairs.map((pair) => pair[which][part]));
  return [
    {
      ...{ what: `${what} with spans, processor time`, value: milli(of(0, 'cost')), ratio: cost },
      ...{ control: milli(of(1, 'cost')), budget: '', met: null },
    },
    {
      ...{ what: `${what} with spans, requests`, value: perSecond(of(0, 'rate')), ratio: rate },
      ...{ control: perSecond(of(1, 'rate')), budget: '', met: null },
    },
  ];
}

import { type Figure, type Item, milliseconds, perSecond } from '#tests/bench/figure.ts';
import { database, fill, prepared, product } from '#tests/bench/prepared.ts';
import { memoryOf, postmasterOf, processorSecondsOfAll } from '#tests/bench/processes.ts';
import { signIn } from '#tests/bench/signed-in.ts';
import { median } from '#tests/bench/statistics.ts';

const JOBS = 100_000;
const ROUNDS = 3;
/** How often the memory is read, in milliseconds. */
const LOOK_EVERY = 500;

/** "Download everything" of a business, by a process that serves alone: without one that signs there are no records. */
export const exportItem: Item = {
  name: 'export',
  about: `the download of a business of ${JOBS} jobs without files: jobs a second, first byte, memory`,
  async measure(log): Promise<Figure[]> {
    await fill('carried', { businesses: 2, jobs: 20, heavy: JOBS }, log);
    const ute = await product('carried', { ROLE: 'api' });
    const bare = await database('carried', 2);
    try {
      const pid = ute.child.pid ?? 0;
      const postmaster = await postmasterOf(bare.pool);
      const used = () => [processorSecondsOfAll(pid, postmaster), processorSecondsOfAll(postmaster)] as const;
      // What every download needs is loaded by a small one.
      await download(ute.url, 'account');
      const before = memoryOf(pid);
      let most = before;
      const looking = setInterval(() => {
        most = Math.max(most, memoryOf(pid));
      }, LOOK_EVERY);
      const rounds: Round[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const [ours, postgres] = used();
        const { seconds, first } = await download(ute.url, 'everything');
        const [oursAfter, postgresAfter] = used();
        const one = {
          rate: JOBS / seconds,
          first,
          ours: oursAfter - ours,
          postgres: postgresAfter - postgres,
        };
        log(`${perSecond(one.rate)}, ${one.ours.toFixed(0)} s and ${one.postgres.toFixed(0)} s of Postgres`);
        rounds.push(one);
      }
      clearInterval(looking);
      return figures(rounds, (most - before) / 1_000_000);
    } finally {
      await bare.close();
      await ute.stop();
    }
  },
};

/** Seconds of processor of one download; `first` in milliseconds. */
type Round = Readonly<{ rate: number; first: number; ours: number; postgres: number }>;

/** As a browser does: asks for a link, and reads what it leads to, to its end. */
async function download(url: string, what: 'everything' | 'account') {
  const { email, password } = prepared('carried');
  const { token, close } = await signIn(url, { email, password, slug: '' });
  close();
  const asked = await fetch(`${url}/api/settings/export`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ currentPassword: password, what }),
  });
  const link = (await asked.json()) as { url?: string };
  if (!link.url) throw new Error(`the link to a download answered ${asked.status}`);
  const began = performance.now();
  const answer = await fetch(url + link.url);
  if (answer.status !== 200 || !answer.body) throw new Error(`the download answered ${answer.status}`);
  let first: number | undefined;
  for await (const _ of answer.body) first ??= performance.now() - began;
  return { seconds: (performance.now() - began) / 1_000, first: first ?? Number.NaN };
}

function figures(rounds: readonly Round[], megabytes: number): Figure[] {
  const rates = rounds.map(({ rate }) => rate);
  const [rate, first] = [median(rates), Math.max(...rounds.map((one) => one.first))];
  const each = (part: 'ours' | 'postgres') =>
    ((median(rounds.map((one) => one[part])) / JOBS) * 1e6).toFixed(0);
  return [
    {
      what: `export of ${JOBS.toLocaleString('en')} jobs without files`,
      ...{ value: perSecond(rate), budget: '≥ 5,000/s', met: rate >= 5_000 },
      note: `${perSecond(Math.min(...rates))} to ${perSecond(Math.max(...rates))}; processor of a job: ${each('ours')} µs, Postgres ${each('postgres')} µs`,
    },
    {
      what: `export, first byte, the latest of ${ROUNDS}`,
      ...{ value: milliseconds(first), budget: '≤ 300 ms', met: first <= 300 },
    },
    {
      what: `export, memory that ${ROUNDS} of them add`,
      ...{ value: `${megabytes.toFixed(0)} MB`, budget: '< 60 MB', met: megabytes < 60 },
    },
  ];
}

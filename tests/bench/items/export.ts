import { setTimeout as pause } from 'node:timers/promises';
import { type Figure, type Item, milliseconds, perSecond } from '#tests/bench/figure.ts';
import { database, fill, prepared, product } from '#tests/bench/prepared.ts';
import { memoryOf, postmasterOf, processorSecondsOfAll, watchMemory } from '#tests/bench/processes.ts';
import { signIn } from '#tests/bench/signed-in.ts';
import { median } from '#tests/bench/statistics.ts';

const JOBS = 100_000;
const ROUNDS = 3;
/** In milliseconds: what a sign-in took of memory is given back by then. */
const SETTLED = 2_000;

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
      const rounds: Round[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        // A sign-in takes 40 MB of memory for a moment: they are none of the download's.
        const url = await linkOf(ute.url);
        await pause(SETTLED);
        const [before, mostOf] = [memoryOf(pid), watchMemory(pid)];
        const [ours, postgres] = used();
        const { seconds, first } = await download(url);
        const [oursAfter, postgresAfter] = used();
        const one = {
          ...{ rate: JOBS / seconds, first, megabytes: (mostOf() - before) / 1_000_000 },
          ...{ ours: oursAfter - ours, postgres: postgresAfter - postgres },
        };
        const grown = `${(before / 1_000_000).toFixed(0)} MB and ${one.megabytes.toFixed(0)} more`;
        log(
          `${perSecond(one.rate)}, ${one.ours.toFixed(0)} s and ${one.postgres.toFixed(0)} s of Postgres, ${grown}`,
        );
        rounds.push(one);
      }
      return figures(rounds);
    } finally {
      await bare.close();
      await ute.stop();
    }
  },
};

/** Seconds of processor of one download; `first` in milliseconds, `megabytes` what it added to the memory at most. */
type Round = Readonly<{ rate: number; first: number; megabytes: number; ours: number; postgres: number }>;

/** A link to a download, as a browser asks for it. */
async function linkOf(url: string): Promise<string> {
  const { email, password } = prepared('carried');
  const { token, close } = await signIn(url, { email, password, slug: '' });
  close();
  const asked = await fetch(`${url}/api/settings/export`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ currentPassword: password, what: 'everything' }),
  });
  const link = (await asked.json()) as { url?: string };
  if (!link.url) throw new Error(`the link to a download answered ${asked.status}`);
  return url + link.url;
}

/** Reads what a link leads to, to its end. */
async function download(link: string) {
  const began = performance.now();
  const answer = await fetch(link);
  if (answer.status !== 200 || !answer.body) throw new Error(`the download answered ${answer.status}`);
  let first: number | undefined;
  for await (const _ of answer.body) first ??= performance.now() - began;
  return { seconds: (performance.now() - began) / 1_000, first: first ?? Number.NaN };
}

function figures(rounds: readonly Round[]): Figure[] {
  const rates = rounds.map(({ rate }) => rate);
  const [rate, first] = [median(rates), Math.max(...rounds.map((one) => one.first))];
  const megabytes = Math.max(...rounds.map((one) => one.megabytes));
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
      what: `export, memory that one adds, the most of ${ROUNDS}`,
      ...{ value: `${megabytes.toFixed(0)} MB`, budget: '< 60 MB', met: megabytes < 60 },
      note: `one after the other: ${rounds.map((one) => one.megabytes.toFixed(0)).join(', ')} MB`,
    },
  ];
}

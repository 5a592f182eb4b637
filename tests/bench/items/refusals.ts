import type { Figure, Item } from '#tests/bench/figure.ts';
import { createHttpClient, type HttpClient } from '#tests/bench/http-client.ts';
import { inPairs } from '#tests/bench/pairs.ts';
import { prepared, product } from '#tests/bench/prepared.ts';
import { processorSeconds } from '#tests/bench/processes.ts';
import { type Ratio, ratioOf } from '#tests/bench/statistics.ts';
import { openRoutes, spacesForm, worstBodies } from '#tests/support/operations/worst-bodies.ts';

const PAIRS = 3;
/** Requests of a round: the system counts processor time in hundredths of a second. */
const PER_ROUND = { plain: 300, worst: 60 } as const;
/** What the worst refused body may cost, as a multiple of a plain refusal by the same route. */
const BUDGET = 20;
/** The route of the plain form reads the database first: beside that, spaces are little. */
const FORM_BUDGET = 3;

type Sent = Readonly<{ path: string; type: string; body: string }>;

/** Processor time of the bodies that cost most to refuse, against a plain refusal by the same route. */
export const refusals: Item = {
  name: 'refusals',
  about: 'processor time of the bodies that cost most to refuse, against a plain refusal by the same route',
  async measure(log): Promise<Figure[]> {
    const { slug } = prepared('small');
    const ute = await product('small');
    const client = createHttpClient(ute.url);
    const cost = (worst: Sent, plain: Sent) => compare(client, ute.child.pid ?? 0, worst, plain);
    try {
      const figures: Figure[] = [];
      for (const [path, fields] of openRoutes) {
        const json = (body: string): Sent => ({ path, type: 'application/json', body });
        const all: [name: string, ratio: Ratio][] = [];
        for (const [name, body] of worstBodies(fields)) {
          all.push([name, await cost(json(body), json('{"unknown":1}'))]);
          log(`${path}, ${name}: ${all.at(-1)?.[1].median.toFixed(1)}x`);
        }
        const [[name, ratio] = ['', ratioOf([])]] = all.sort(([, a], [, b]) => b.median - a.median);
        figures.push(figure(`refused by ${path}, the worst of ${all.length}: ${name}`, ratio, BUDGET));
      }
      const form = (spaces: number): Sent => ({ path: `/t/${slug}`, ...spacesForm(spaces) });
      const spaces = await cost(form(1_900), form(0));
      return [...figures, figure('a part of a form whose head is mostly spaces', spaces, FORM_BUDGET)];
    } finally {
      client.close();
      await ute.stop();
    }
  },
};

async function compare(client: HttpClient, pid: number, worst: Sent, plain: Sent): Promise<Ratio> {
  const each = async (sent: Sent, count: number) => {
    const before = processorSeconds(pid) ?? Number.NaN;
    for (let n = 0; n < count; n += 1) await refuse(client, sent);
    return ((processorSeconds(pid) ?? Number.NaN) - before) / count;
  };
  await each(worst, PER_ROUND.worst);
  const pairs = await inPairs(
    PAIRS,
    () => each(worst, PER_ROUND.worst),
    () => each(plain, PER_ROUND.plain),
  );
  return ratioOf(pairs);
}

async function refuse(client: HttpClient, { path, type, body }: Sent): Promise<void> {
  const headers = { 'content-type': type, 'sec-fetch-site': 'same-origin' };
  const { status } = await client.request('POST', path, headers, body);
  if (status < 400 || status >= 500) throw new Error(`${path} answered ${status}`);
}

function figure(what: string, ratio: Ratio, budget: number): Figure {
  const [value, most] = [`${ratio.median.toFixed(1)}x`, `≤ ${budget}x`];
  return { what, value, ratio, budget: most, met: ratio.median <= budget };
}

import { readdirSync, readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type TestApp, testApp } from '#tests/support/app/api.ts';

type Rule = Readonly<{
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; runbook: string };
}>;
type Panel = Readonly<{
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string }[];
}>;

const alerts = Bun.YAML.parse(readFileSync('api/operate/alerts.yaml', 'utf8')) as {
  groups: { rules: Rule[] }[];
};
const rules = alerts.groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(readFileSync('api/operate/dashboard.json', 'utf8')) as { panels: Panel[] };
const expressions = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
];

let api: TestApp;
/** What a scrape shows: metric → its labels. Prometheus adds `job` and `instance`. */
const scraped = new Map<string, Set<string>>();
const added = ['job', 'instance'];

beforeAll(async () => {
  api = await testApp();
  await api.signIn();
  await api.get('/api/jobs/count');
  // A request is counted after it is answered.
  const text = await vi.waitUntil(
    async () => {
      const scrape = (await api.get('/api/metrics')).text;
      return scrape.includes('ute_http_request_seconds_bucket') && scrape;
    },
    { timeout: 15_000 },
  );
  for (const [, name = '', labels = ''] of text.matchAll(/^([a-z_]+)(?:\{(.*)\})? /gm)) {
    const known = scraped.get(name) ?? new Set(added);
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label);
    scraped.set(name, known);
  }
  // A gauge with labels that nothing has counted yet shows its name alone.
  for (const [, name = ''] of text.matchAll(/^# TYPE (\w+)/gm))
    if (!scraped.has(name)) scraped.set(name, new Set(added));
});
afterAll(() => api?.close());

/** The vector selectors of an expression, with the labels that each compares. Throws for what PromQL cannot read. */
function selectorsOf(expr: string): { metric: string; labels: string[] }[] {
  const text = expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', '.*');
  const found: { metric: string; labels: string[] }[] = [];
  parser.parse(text).iterate({
    enter({ name, type, from, to }) {
      if (type.isError) throw new Error(`${expr} cannot be read at ${from}`);
      const content = text.slice(from, to);
      if (name === 'VectorSelector') {
        const [, metric = ''] = /^(\w+)/.exec(content) ?? [];
        found.push({
          metric,
          labels: Array.from(content.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g), ([, label = '']) => label),
        });
      }
    },
  });
  return found;
}

test.each(expressions)('%s asks for metrics and labels that exist', (_of, expr) => {
  const selectors = selectorsOf(expr);
  expect(selectors).not.toEqual([]);
  for (const { metric, labels } of selectors) {
    expect([...scraped.keys()]).toContain(metric);
    expect(labels.filter((label) => !scraped.get(metric)?.has(label) && !/^(le)$/.test(label))).toEqual([]);
  }
});

test('every metric of ours is on a panel, and every one of log and retention in an alert', () => {
  const ours = [...scraped.keys()].filter((name) => name.startsWith('ute_'));
  const asked = (exprs: readonly string[]) =>
    ours.filter((name) => !exprs.some((expr) => expr.includes(name)));
  // The sum of a histogram is asked for by nothing, its buckets are.
  expect(asked(panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)))).toEqual([
    'ute_http_request_seconds_sum',
  ]);
  expect(
    asked(rules.map(({ expr }) => expr)).filter((name) => /_(proof|audit|retention)_/.test(name)),
  ).toEqual([]);
});

test('an expression that PromQL cannot read is found', () => {
  expect(() => selectorsOf('sum(rate(ute_http_request_seconds_count[5m])')).toThrow('cannot be read');
});

describe('alerts', () => {
  const headings = Array.from(
    readdirSync('api/operate')
      .filter((file) => file.endsWith('.md'))
      .map((file) => readFileSync(`api/operate/${file}`, 'utf8'))
      .join('\n')
      .matchAll(/^## (.+)$/gm),
    ([, title]) => title,
  );
  test.each(rules)('$alert waits, has a severity, and leads to a section of the guide', (rule) => {
    expect(rule.for).toMatch(/^\d+m$/);
    expect(['page', 'ticket']).toContain(rule.labels.severity);
    expect(rule.annotations.summary).not.toBe('');
    expect(headings).toContain(rule.annotations.runbook);
  });

  test('have names of their own', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  });
});

test('panels have ids of their own, lie in the grid and cover none of each other', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) => {
    expect(x + w).toBeLessThanOrEqual(24);
    return Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`);
  });
  expect(new Set(cells).size).toBe(cells.length);
});

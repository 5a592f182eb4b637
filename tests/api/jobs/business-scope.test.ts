import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Settings, withSettings } from '#core/postgres/settings.ts';
import { countOwners, getTimeZone, listOwners } from '#projections/accounts/read.ts';
import { countBoard, listBoard } from '#projections/jobs/board.ts';
import { findAddresses } from '#projections/public-form/read.ts';
import { projections } from '#projections/registry.ts';
import { tableOf } from '#projections/runtime/build.ts';
import type { SignedIn } from '#tests/support/app/api.ts';
import { testPool } from '#tests/support/app/database.ts';
import { deliver } from '#tests/support/app/messages.ts';
import {
  developmentOperations,
  type Operation,
  operations,
  perform,
  recipes,
} from '#tests/support/operations/operations.ts';
import { bearer, openWorld, type Recipe, type World } from '#tests/support/operations/world.ts';

/** A step of a plan, as `explain (format json)` gives it. */
type Step = Readonly<{ 'Node Type': string; 'Relation Name'?: string; Plans?: readonly Step[] }>;
type Condition = 'Index Cond' | 'Recheck Cond' | 'Filter';
type Scan = Readonly<{ table: string; conditions: string }>;

/** Found by something else than the business, which only the row then names. */
const foundOtherwise: Readonly<Record<string, RegExp>> = {
  accounts: /\baccount_id = \$\d/,
  public_forms: /\bslug = \$\d/,
};

/** Statements over all businesses; none of them is asked for a request. */
const overAll: readonly Readonly<{ text: RegExp; reason: string }>[] = [
  { text: /^select a\.account_id .* where a\.account_id > \$1 order by/, reason: 'whom announcements go to' },
  { text: /^select count\(\*\)::int as n from \S+accounts\S* a join/, reason: 'how many of them there are' },
  {
    text: /^select slug from \S+public_forms\S* where slug is not null/,
    reason: 'the keys fit the database',
  },
  { text: /removal_asked_at < \$1$/, reason: 'requests of customers that the operator is alarmed about' },
  {
    text: /^select count\(\*\)::int as n from \S+ where business_id = any\(\$1\) and erased_at is null$/,
    reason: 'how many jobs go with all businesses of an account',
  },
];

const tables = projections.flatMap((projection) =>
  projection.tables.map(({ name }) => tableOf(projection, name)),
);
const namesTable = new RegExp(`\\bread"?\\."?(${tables.join('|')})\\b`);

const asked = new Set<string>();
let world: World;

beforeAll(async () => {
  const send = Client.prototype.query as (...args: unknown[]) => unknown;
  const spy = vi.spyOn(Client.prototype, 'query').mockImplementation(function (
    this: Client,
    ...args: unknown[]
  ) {
    const text = textOf(args[0]);
    if (namesTable.test(text) && !followsTheLog(this)) asked.add(text.replace(/\s+/g, ' ').trim());
    return send.apply(this, args);
  } as never);
  world = await openWorld();
  for (const operation of [...operations, ...developmentOperations] as Operation[]) {
    const recipe: Recipe = recipes[operation];
    const signedIn = { ...world, acme: await newSession(world) };
    const call = await recipe.call(signedIn);
    const answer = await perform(signedIn, operation, call);
    expect(answer.status, operation).toBeLessThan(400);
    recipe.after?.(signedIn, call, answer);
  }
  const owner = await newSession(world);
  for (const query of lists) expect((await owner.get(`/api/jobs?${query}`)).status).toBe(200);
  await deliver(world.app);
  const { db, now } = world.app.deps;
  const board = {
    businessId: world.acme.businessId,
    timeZone: 'Australia/Melbourne',
    now: now(),
    position: '1',
  };
  const page = { statuses: [], today: true, sort: 'createdAt', dir: 'asc', page: 1, limit: 10 } as const;
  await Promise.all([
    ...[countBoard(db, board), listBoard(db, { ...board, ...page })],
    ...[countOwners(db), listOwners(db, '', 10), findAddresses(db, 10)],
    getTimeZone(db, world.acme.businessId),
  ]);
  spy.mockRestore();
}, 120_000);
afterAll(() => world?.app.close());

/** Some operations end the sessions of their account. */
async function newSession({ app, acme, session }: World): Promise<SignedIn> {
  const { token } = await session(acme);
  return { ...acme, ...app.as(bearer(token)), token };
}

/** Each way in which a list is found. */
const lists = [
  ...['search=tap', 'search=tap&sort=scheduledAt', 'search=tap&filter=Pending', 'filter=Pending,Rejected'],
  ...['filter=today', 'filter=today&search=tap', 'page=2', 'sort=scheduledAt&dir=asc'],
];

function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  return typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : '';
}

/** The folds of projections: a batch has events of many businesses, and each of its rows is found by its own key. */
function followsTheLog(client: Client): boolean {
  const { own } = client as unknown as { own: Settings };
  return own['ute.business'] === '*';
}

/** The second version of `accounts` is the table `accounts_v2`. */
const withoutVersion = (table: string): string => table.replace(/_v\d+$/, '');

function scansOf(step: Step & Partial<Record<Condition, string>>): Scan[] {
  const below = (step.Plans ?? []).flatMap((one) => scansOf(one));
  const table = step['Relation Name'];
  if (table === undefined || !step['Node Type'].endsWith('Scan')) return below;
  const conditions = [step['Index Cond'], step['Recheck Cond'], step.Filter].filter(Boolean).join(' and ');
  return [...below, { table, conditions }];
}

test('the tables of every read model are asked', () => {
  const named = tables.filter((table) => [...asked].some((text) => new RegExp(`\\b${table}\\b`).test(text)));
  expect(named.toSorted()).toEqual(tables.toSorted());
  expect(asked.size).toBeGreaterThan(15);
});

test('no statement of a request reads rows of two businesses', async () => {
  // Joins by nested loops alone, so that the plan shows by what each row is found, however few rows there are.
  const loops = { enable_hashjoin: 'off', enable_mergejoin: 'off', enable_seqscan: 'off' };
  const pool = testPool(withSettings(world.app.databaseUrl, { ...loops, 'ute.business': '*' }), 1);
  const beyond: string[] = [];
  const excused = new Set<string>();
  for (const text of asked) {
    const excuse = overAll.find((one) => one.text.test(text));
    if (excuse) {
      excused.add(excuse.reason);
      continue;
    }
    const { rows } = await pool.query(`explain (generic_plan, format json) ${text}`);
    for (const { table, conditions } of scansOf(rows[0]['QUERY PLAN'][0].Plan)) {
      if (!tables.includes(table) || foundOtherwise[withoutVersion(table)]?.test(conditions)) continue;
      if (!/\bbusiness_id = \(?(\$\d|\w+\.business_id)/.test(conditions)) {
        beyond.push(`${table} by ${conditions || 'nothing'}: ${text}`);
      }
    }
  }
  await pool.end();
  expect(beyond).toEqual([]);
  expect([...excused].toSorted()).toEqual(overAll.map(({ reason }) => reason).toSorted());
});

import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { countOwners, getTimeZone, listOwners } from '#projections/accounts/read.ts';
import { countBoard, listBoard } from '#projections/jobs/board.ts';
import { findAddresses } from '#projections/public-form/read.ts';
import { tableOf } from '#projections/runtime/build.ts';
import { projections } from '#projections/runtime/registry.ts';
import type { SignedIn } from '#tests/support/app/api.ts';
import type { Answer } from '#tests/support/app/api-client.ts';
import { testPool } from '#tests/support/app/database.ts';
import { deliver } from '#tests/support/app/messages.ts';
import { perform, withId } from '#tests/support/operations/perform.ts';
import { bearer, type Call, type Recipe, UNKNOWN } from '#tests/support/operations/recipe.ts';
import { recipes } from '#tests/support/operations/recipes.ts';
import {
  developmentOperations,
  type Operation,
  operations,
} from '#tests/support/operations/route-inventory.ts';
import { openWorld, RIVAL_MARKER, type World } from '#tests/support/operations/two-businesses.ts';

describe('business scope', () => {
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
    {
      text: /^select a\.account_id .* where a\.account_id > \$1 order by/,
      reason: 'whom announcements go to',
    },
    {
      text: /^select count\(\*\)::int as n from \S+accounts\S* a join/,
      reason: 'how many of them there are',
    },
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
    const { options } = (client as unknown as { connectionParameters: { options?: string } })
      .connectionParameters;
    return options?.includes('ute.business=*') ?? false;
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
    const named = tables.filter((table) =>
      [...asked].some((text) => new RegExp(`\\b${table}\\b`).test(text)),
    );
    expect(named.toSorted()).toEqual(tables.toSorted());
    expect(asked.size).toBeGreaterThan(15);
  });

  test('no statement of a request reads rows of two businesses', async () => {
    // Joins by nested loops alone, so that the plan shows by what each row is found, however few rows there are.
    const plans = '-c enable_hashjoin=off -c enable_mergejoin=off -c enable_seqscan=off -c ute.business=*';
    const url = new URL(world.app.databaseUrl);
    url.searchParams.set('options', plans);
    const pool = testPool(url.href, 1);
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
});

describe('tenant matrix', () => {
  /** Ids that are never given out: too short, too long, of other letters, no text at all. */
  const MALFORMED = [
    ...['x', '1', "'--", '0198c0de', `${UNKNOWN}0`, UNKNOWN.toUpperCase().replace('0', 'O')],
    ...['%00', '%ff', 'x'.repeat(2_000), encodeURIComponent('Ō'.repeat(40))],
  ];

  const all: readonly Operation[] = [...operations, ...developmentOperations];
  const recipeOf = (operation: Operation): Recipe => recipes[operation];
  const withIds = all.filter((operation) => operation.includes(':'));
  const naming = (...kinds: readonly Recipe['names'][]) =>
    withIds.filter((operation) => kinds.includes(recipeOf(operation).names));
  const withForeignIds = all.filter((operation) => recipeOf(operation).foreign);
  const ofSessions = all.filter((operation) => recipeOf(operation).access === 'session');

  let world: World;
  let dead: string;
  let chat: string;
  let rid: string;
  beforeAll(async () => {
    world = await openWorld();
    const ended = await world.session(world.acme);
    dead = ended.token;
    await world.app.as({ authorization: `Bearer ${dead}` }).post('/api/authenticate/logout');
    chat = await world.chatToken(world.acme);
    const draft = await recipeOf('GET /api/registration/tradies').call(world);
    rid = draft.headers?.['x-rid'] ?? '';
  });
  afterAll(() => world?.app.close());

  /** An answer as it is compared: without what is different for each request. */
  const compared = ({ status, text, body }: Answer) => ({
    status,
    body: body ? { ...body, ref: '' } : text,
  });
  /** An id that could be one and is none, as long as another. */
  const unknownLike = (id: string) => (id.length === UNKNOWN.length ? UNKNOWN : 'A'.repeat(id.length));

  /** Sends what must change nothing, and nothing of the rival may come back. */
  async function tried(operation: Operation, call: Call, spoiled?: Parameters<typeof perform>[3]) {
    await world.app.settle();
    const head = await world.app.deps.store.head();
    const answer = await perform(world, operation, call, spoiled);
    expect(answer.text, operation).not.toContain(RIVAL_MARKER);
    expect(await world.app.deps.store.head(), `${operation} appends nothing`).toBe(head);
    return answer;
  }

  describe('the matrix is whole', () => {
    test('every operation of the inventory is in it, and none besides', () => {
      expect(Object.keys(recipes).sort()).toEqual([...all].sort());
    });

    test('every operation with an id says what the id names, and has one of the rival where it is a business’s', () => {
      expect(withIds.filter((operation) => !recipeOf(operation).names)).toEqual([]);
      expect(naming('owned').filter((operation) => !recipeOf(operation).foreign)).toEqual([]);
      expect(naming('owned').filter((operation) => recipeOf(operation).access !== 'session')).toEqual([]);
    });
  });

  describe('what belongs to another business cannot be told from what never was', () => {
    test.each(withForeignIds)('%s', async (operation) => {
      const call = await recipeOf(operation).foreign?.(world);
      if (!call?.foreignId) throw new Error('no id of the rival');
      const foreign = await tried(operation, call);
      // A ticket is good for one try.
      const again = await recipeOf(operation).foreign?.(world);
      const unknown = withId(
        { ...call, ...(again ? { headers: again.headers ?? {} } : {}) },
        unknownLike(call.foreignId),
      );
      expect(compared(await tried(operation, unknown))).toEqual(compared(foreign));
      if (naming('owned', 'secret').includes(operation)) {
        expect(compared(foreign)).toEqual({
          status: 404,
          body: { status: 'error', message: 'Not found', ref: '' },
        });
      }
    });
  });

  describe('an id that is none is an unknown one', () => {
    test.each(withIds)('%s', async (operation) => {
      const call = await recipeOf(operation).call(world);
      const names = Object.keys(call.params ?? {});
      // A page with buttons leads back to itself, and says there that the link opens nothing.
      const expected = [
        400,
        404,
        ...(/^POST \/(answer|not-needed|welcome|your-details)/.test(operation) ? [303] : []),
      ];
      for (const id of MALFORMED) {
        const params = Object.fromEntries(names.map((name) => [name, id]));
        const { status, body } = await tried(operation, { ...call, params });
        expect(expected, `${operation} ${id}`).toContain(status);
        if (body) expect(body).toMatchObject({ status: 'error' });
      }
    });

    test.each(withIds)('%s, with a way up instead', async (operation) => {
      const call = await recipeOf(operation).call(world);
      for (const id of ['..', '%2e%2e', '..%2f..%2fapi', '%2e%2e%5c']) {
        const params = Object.fromEntries(Object.keys(call.params ?? {}).map((name) => [name, id]));
        // Two dots name another route, which answers for itself.
        const { status } = await tried(operation, { ...call, params }, { token: null });
        expect(status, `${operation} ${id}`).toBeLessThan(500);
      }
    });
  });

  describe('nothing of a business opens without a living session', () => {
    test.each(ofSessions)('%s', async (operation) => {
      const recipe = recipeOf(operation);
      const call = await (recipe.foreign ?? recipe.call)(world);
      const own = { ...call, headers: {} };
      const stranger = await tried(operation, own, { token: null });
      expect(compared(stranger)).toEqual({
        status: 403,
        body: { status: 'error', message: 'Session timed out', ref: '' },
      });
      const others = [{ token: dead }, { token: chat }, { token: 'x'.repeat(60) }];
      for (const spoiled of [...others, { token: null, headers: { 'x-rid': rid } }]) {
        expect(compared(await tried(operation, own, spoiled))).toEqual(compared(stranger));
      }
    });

    test('nor what asks for another proof', async () => {
      const guarded = all.filter((operation) => recipeOf(operation).access === 'other');
      for (const operation of guarded) {
        const call = await recipeOf(operation).call(world);
        for (const spoiled of [{ withoutProof: true }, { withoutProof: true, token: dead }]) {
          const { status } = await tried(operation, call, spoiled);
          expect([401, 403, 404], `${operation} ${JSON.stringify(spoiled)}`).toContain(status);
        }
      }
    });
  });
});

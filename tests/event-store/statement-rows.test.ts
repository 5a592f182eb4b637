import type { PoolClient } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountsTable } from '#projections/accounts/table.ts';
import { jobsProjection } from '#projections/jobs/projection.ts';
import { jobTables } from '#projections/jobs/table.ts';
import { projections } from '#projections/registry.ts';
import { liveBuild, readModelCheckpoints } from '#projections/runtime/build.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { createDescribe } from '#tests/support/statements/describe.ts';
import { createEvaluator, type Samples, textsOf } from '#tests/support/statements/evaluate.ts';
import { findStatements, readSources, type SentStatement } from '#tests/support/statements/find.ts';
import { misfits } from '#tests/support/statements/row-types.ts';

const live = liveBuild(jobsProjection);
/** Settings that are sent together: they have no columns. */
const SEVERAL = /multiple commands/;
const declared =
  'read by the declaration of its table, of which the columns are made as well (`toCard`, `toJob`)';

/** What functions are given that make a statement of it. */
const samples: Samples = {
  CheckpointTables: [readModelCheckpoints],
  TableNames: [live.table],
  Build: [live],
  Stored: [live],
  Projection: projections,
  'readonly Projection[]': [projections],
  "readonly Pick<Projection, 'name' | 'version' | 'checkpoints'>[]": [projections],
  'RowFold<Row>': [{ table: accountsTable }],
  Erased: [{ jobIds: [], demoIds: [], accountIds: [], businessIds: [] }],
  'readonly PendingAppend[]': [[], [{ stream: 'job-1', revision: 0, events: [{}] }]],
  JobListQuery: [{ businessId: '', timeZone: 'UTC', now: new Date(0) }],
};

/** By its place: a statement whose rows are compared with nothing, and why. */
const uncompared: Readonly<Record<string, string>> = {
  'projections/jobs/details.ts getJobDetails': declared,
  'projections/jobs/list.ts listJobCards': declared,
  'projections/jobs/schedule.ts findOverdue': declared,
  'projections/jobs/schedule.ts listBetween': declared,
  'api/backup/state-part.ts rowsOf': 'Postgres does not say what a cursor gives',
  'core/postgres/session.ts differing':
    'its text needs private fields; a test of each setting reads its names',
};

/** Columns that may be null in their table, and what keeps null from the rows of a statement. */
const neverNull: Readonly<Record<string, string>> = {
  'api/businesses/files/seal-files.ts unsealedFiles: jobId': 'job_id is not null',
  'api/intake/answer-links.ts findLink: jobId': 'job_id is not null',
  'api/outbox/delivery-status.ts sentMessages: at': 'settled_at is not null',
  'api/outbox/delivery-status.ts undeliveredAbout: settledAt':
    'set with the status of what is held, lapsed or dead',
  'api/outbox/queue.ts businessesHeldBack: businessId': 'what is held is mail to the customers of a business',
  'projections/jobs/hints.ts findOverlaps: scheduledAt': 'scheduled_at lies in a span',
  'projections/public-form/read.ts findAddresses: slug': 'slug is not null',
  'projections/public-form/read.ts getPublicForm: slug': 'slug = $1',
  'projections/public-form/read.ts getPublicFormOf: slug': 'slug is not null',
};

type Known = SentStatement & Readonly<{ texts: readonly string[] }>;

let database: TestDatabase;
let client: PoolClient;
let checker: ReturnType<ReturnType<typeof readSources>['program']['getTypeChecker']>;
const statements: Known[] = [];
/** Places of statements that are read and whose text the sources do not say in full. */
const withoutText: string[] = [];

beforeAll(async () => {
  database = await testDatabase();
  client = await database.admin.connect();
  const { program, sources } = readSources();
  checker = program.getTypeChecker();
  const evaluator = createEvaluator(program, sources, samples);
  for (const sent of findStatements(program, sources)) {
    const texts = await textsOf(evaluator, sent.text);
    if (texts) statements.push({ ...sent, texts });
    else if (sent.isRead) withoutText.push(sent.place);
  }
}, 120_000);
afterAll(async () => {
  client?.release();
  await database?.close();
});

/** What is wrong with statements and their rows, each with its place; and the places of those that are compared with nothing. */
async function compare(): Promise<Readonly<{ faults: string[]; notCompared: string[] }>> {
  const describe = await createDescribe(client);
  const faults = new Set<string>();
  const notCompared = new Set(withoutText);
  for (const { place, texts, row, isRead } of statements) {
    for (const text of texts) {
      const columns = await describe(text).catch((error: Error) => error);
      if (columns instanceof Error) {
        if (!SEVERAL.test(columns.message)) faults.add(`${place}: ${columns.message}`);
      } else if (row && columns.length > 0) {
        for (const misfit of misfits(checker, row, columns)) faults.add(`${place}: ${misfit}`);
      }
      // A column without a name cannot be read: such rows are counted.
      else if (row || (isRead && columns.some(({ name }) => name !== '?column?'))) notCompared.add(place);
    }
  }
  return { faults: [...faults].sort(), notCompared: [...notCompared].sort() };
}

test('rows have the columns, the types and the nulls that Postgres says', async () => {
  const { faults, notCompared } = await compare();
  expect(faults).toEqual(
    Object.keys(neverNull)
      .map((column) => `${column} may be null`)
      .sort(),
  );
  expect(notCompared).toEqual(Object.keys(uncompared).sort());
  expect(notCompared.length).toBeLessThanOrEqual(20);
  // Else nothing was found, and nothing compared.
  expect(statements.filter(({ row }) => row).length).toBeGreaterThan(150);
}, 60_000);

/** The database stays so: the last test of the file. */
test.each([
  [
    'another name',
    'alter table state.sessions rename column device to browser',
    'api/accounts/sessions.ts listSessions: column "device" does not exist',
  ],
  [
    'another name in a read model',
    `alter table ${jobTables.search} rename column reference to said`,
    'projections/jobs/list.ts findByReference: column "reference" does not exist',
  ],
  [
    'another type',
    'alter table state.clock_seen alter rests_until type text using rests_until::text',
    'api/cli/doctor/database-checks.ts clockWitness: until is Date, and of type 25',
  ],
  [
    'null where there was none',
    'alter table state.sessions alter last_seen_at drop not null',
    'api/accounts/sessions.ts findSession: last_seen_at may be null',
  ],
])(
  'a column of %s is noticed',
  async (_, migration, fault) => {
    expect((await compare()).faults).not.toContain(fault);
    await client.query(migration);
    expect((await compare()).faults).toContain(fault);
  },
  60_000,
);

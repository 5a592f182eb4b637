import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { carryOut, type ErasureDeps } from '#api/privacy/carry-out.ts';
import { fileLedger } from '#api/privacy/ledger.ts';
import { requestErasure } from '#api/privacy/request-erasure.ts';
import type { SubjectKeys } from '#core/event-store/subject-keys.ts';
import type { SignedIn, TestApp } from '#tests/support/app/api.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';

/**
 * With what an app's persons are forgotten, with a ledger in a folder of its own, which ends with the test process. `now` is the app's
 * unless it is given.
 */
export function erasing(
  { deps, everyRow }: Pick<TestApp, 'deps' | 'everyRow'>,
  { now = deps.now, subjectKeys = deps.subjectKeys }: { now?: () => Date; subjectKeys?: SubjectKeys } = {},
): Readonly<{ deps: ErasureDeps; remove(): void }> {
  const folder = tempFolder('erasures');
  process.once('exit', folder.remove);
  const { store, files, logger, readSide } = deps;
  return {
    deps: {
      ...{ store, files, logger, now, subjectKeys, everyRow },
      ledger: fileLedger(join(folder.path, 'erasures.log')),
      awaitReadModels: async (position) =>
        (await readSide.waitFor(['jobs', 'accounts', 'public-form'], position)) === 'caught-up',
    },
    remove: folder.remove,
  };
}

/** Asks, as the operator, that the customers of these jobs be erased at once. Answers the id of the erasure, which is not carried out. */
export async function askToForget(
  deps: ErasureDeps,
  { businessId }: Pick<SignedIn, 'businessId'>,
  ids: readonly string[],
): Promise<string> {
  const erasureId = crypto.randomUUID();
  const erasure = { erasureId, scope: 'jobs', basis: 'operator', businessId, ids, isNow: true } as const;
  await requestErasure(deps, erasure);
  return erasureId;
}

/** The same, carried out. */
export async function forgetCustomers(
  deps: ErasureDeps,
  owner: Pick<SignedIn, 'businessId'>,
  ids: readonly string[],
): Promise<void> {
  await carryOut(deps, await askToForget(deps, owner, ids));
}

/** What must not be found, by what it is: `{ 'the reset token': 'kQ…' }`. */
export type Markers = Readonly<Record<string, string>>;

/** Letters of a marker: a database of random ids, keys and ciphertext in base64 holds every shorter word some day. */
const SHORTEST = 8;

/** Everything that every table of a database holds, as `schema.table` and the text of its rows. */
export async function copyOut(db: Pool): Promise<Record<string, string>> {
  const tables = await db.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_catalog.pg_tables
     where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
  );
  const copied: Record<string, string> = {};
  for (const { name } of tables.rows) {
    const { rows } = await db.query<{ text: string | null }>(
      `select string_agg(one::text, e'\\n') as text from ${name} as one`,
    );
    copied[name] = rows[0]?.text ?? '';
  }
  return copied;
}

/** The same, and as `pg_stats` what the planner sampled of it. */
export async function copyOutWithSamples(db: Pool): Promise<Record<string, string>> {
  await db.query('analyze');
  const { rows } = await db.query<{ text: string }>(
    `select schemaname || '.' || tablename || '.' || attname || ' ' || coalesce(most_common_vals::text, '')
       || coalesce(histogram_bounds::text, '') || coalesce(most_common_elems::text, '') as text from pg_stats
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  return { ...(await copyOut(db)), pg_stats: rows.map(({ text }) => text).join('\n') };
}

/** Every file below folders, by its path: the path and the bytes as they lie there. */
export async function copyFiles(...folders: string[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const path of folders) {
    for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      found[file] = `${file}\n${(await readFile(file)).toString('latin1')}`;
    }
  }
  return found;
}

/** Where which markers stand: `read.accounts holds the reset token`. In any spelling: as it is, as hex, as base64. */
export function findMarkers(places: Readonly<Record<string, string>>, markers: Markers): string[] {
  const spelled = Object.entries(markers).map(([name, word]) => ({ name, patterns: patternsOf(word) }));
  return Object.entries(places).flatMap(([place, text]) => {
    // Six digits in a row may also be a fraction of a second.
    const searched = text.replace(/(:\d\d)\.\d+/g, '$1');
    return spelled
      .filter(({ patterns }) => patterns.some((pattern) => pattern.test(searched)))
      .map(({ name }) => `${place} holds ${name}`);
  });
}

function patternsOf(word: string): RegExp[] {
  // A code stands alone: within an id, a key or base64 its digits come about by chance.
  if (/^\d{6,}$/.test(word)) return [new RegExp(`(?<![0-9a-z.+_-])${word}(?![0-9a-z+_-])`, 'i')];
  if (word.length < SHORTEST)
    throw new RangeError(`chance makes a marker of ${word.length} letters: it needs ${SHORTEST}`);
  const bytes = Buffer.from(word, 'utf8');
  return [
    new RegExp(RegExp.escape(word), 'i'),
    new RegExp(RegExp.escape(encodeURIComponent(word)), 'i'),
    new RegExp(bytes.toString('hex'), 'i'),
    ...[0, 1, 2].map((shift) => base64Pattern(bytes, shift)),
  ];
}

/** What stays the same in base64 of any text that has the word at such a place; either alphabet. */
function base64Pattern(bytes: Buffer, shift: number): RegExp {
  const coded = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
  const whole = coded.slice(shift === 0 ? 0 : shift + 1, Math.floor(((shift + bytes.length) * 8) / 6));
  const either = whole.replace(/[+/]/g, (letter) => (letter === '+' ? '[+-]' : '[/_]'));
  return new RegExp(either);
}

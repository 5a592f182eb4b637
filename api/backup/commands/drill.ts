import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Manifest } from '#api/backup/manifest.ts';
import { counted } from '#api/cli/report.ts';
import { type System, withSystem } from '#api/cli/system.ts';
import { print } from '#api/cli/terminal.ts';
import type { Config } from '#api/runtime/config/config.ts';
import { configure } from '#api/runtime/environment.ts';
import { openRawLog } from '#api/runtime/event-log.ts';
import { auditLog } from '#core/event-store/chain.ts';
import { createSubjectKeys } from '#core/event-store/subject-keys.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { projections } from '#projections/registry.ts';
import { rebuildTogether } from '#projections/runtime/rebuild/rebuild.ts';
import { verify } from '#projections/runtime/rebuild/verify.ts';

/** What was restored, the subjects that the ledger names as erased, and the way to note in the target that all is well. */
export type DrilledBackup = Readonly<{
  manifest: Manifest;
  erased: readonly string[];
  /** No file of it is damaged. */
  isWhole: boolean;
  noteWell(): Promise<void>;
}>;

/**
 * Restores into a Postgres of its own in a folder that goes afterwards, and looks at all of it: chains, read models, one
 * sealed event per category, and that none of those who were erased has a key.
 */
export async function drill(
  restoreInto: (environment: Record<string, string>) => Promise<DrilledBackup>,
): Promise<void> {
  const began = performance.now();
  const given = configure(process.env);
  const folder = await mkdtemp(join(tmpdir(), 'ute-drill-'));
  try {
    const environment = drillEnvironment(given, folder);
    const { manifest, erased, isWhole, noteWell } = await restoreInto(environment);
    for (const name of Object.keys(process.env)) {
      if (!(name in environment)) delete process.env[name];
    }
    Object.assign(process.env, environment);
    await withSystem(async (system, signal) => (await examine(system, signal, erased)) && isWhole);
    print([`${sizeOf(manifest)} in the backup, ${seconds(began)} s`]);
    if (process.exitCode === 0) await noteWell();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function examine(
  { config, pool, connectionString, ...system }: System,
  signal: AbortSignal,
  erased: readonly string[],
): Promise<boolean> {
  const raw = await openRawLog(config, { log: pool, url: connectionString });
  const { checked, broken } = await auditLog(raw, { gapless: raw.gapless, signal, onProgress() {} });
  await raw.close();
  const deps = { ...system, config, pool, connectionString };
  await rebuildTogether(deps, projections, { signal });
  let differences = 0;
  for (const projection of projections)
    differences += (await verify(deps, projection, { signal })).differences.length;
  const { rows } = await pool.query<{ categories: string[]; back: string }>(
    `select array(select split_part(stream, '-', 1) from event_store.events group by 1 order by 1) as categories,
       (select count(*) from state.subject_keys where subject = any($1) and wrapped_key is not null) as back`,
    [erased],
  );
  const { categories = [], back = '0' } = rows[0] ?? {};
  const opened = await openOneOfEach(deps, categories);
  print([
    broken
      ? `chains BROKEN at position ${broken.position}: ${broken.reason}`
      : `${counted(checked, 'event')} checked, every hash fits`,
    differences === 0
      ? 'read models are what the log says'
      : `read models: ${differences} of their tables DIFFER`,
    ...opened.lines,
    `${erased.length} erased, ${back} of them with a key`,
  ]);
  return broken === null && differences === 0 && opened.isWell && back === '0';
}

/** Opens the newest sealed event of each category that has one whose subject was not erased, with the keys of the backup. */
async function openOneOfEach(
  { pool, store, config }: Pick<System, 'pool' | 'store' | 'config'>,
  categories: readonly string[],
): Promise<Readonly<{ lines: string[]; isWell: boolean }>> {
  const keys = createSubjectKeys({ pool, dataKey: config.keys.data });
  const lines: string[] = [];
  let isWell = true;
  for (const category of categories) {
    const { rows } = await pool.query<{ stream: StreamName; subject: string }>(
      `select e.stream, k.subject from event_store.events e
       join state.subject_keys k on k.subject = e.data->'personal'->>'kid' and k.wrapped_key is not null
       where e.stream like $1 order by e.pos desc limit 1`,
      [`${category}-%`],
    );
    const [sealed] = rows;
    if (!sealed) continue;
    const opens = Buffer.isBuffer((await keys.find([sealed.subject])).get(sealed.subject));
    const events = opens ? await store.readStream(sealed.stream) : [];
    isWell &&= events.length > 0;
    lines.push(`${category}: sealed fields ${events.length > 0 ? 'open' : 'do NOT open'}`);
  }
  return { lines, isWell };
}

/** The keys of the installation, a folder of its own, and nothing that leads to its stores. */
function drillEnvironment({ keys, proof }: Config, folder: string): Record<string, string> {
  const stores = [
    'DATABASE_URL',
    'MIGRATION_DATABASE_URL',
    'EVENTSTORE_URL',
    'CHECKPOINTS_TO',
    'ERASURES_TO',
  ];
  const secrets = ['DATA_KEY', 'TOKEN_KEY', 'CLAIM_KEY', 'BOT_CHECK_KEY', 'LOG_KEY', 'LOG_KEY_BEFORE'];
  const left = new Set([...stores, ...secrets].flatMap((name) => [name, `${name}_FILE`]));
  const kept = Object.entries(process.env).filter(([name]) => !left.has(name) && name !== 'FILES');
  return {
    ...(Object.fromEntries(kept) as Record<string, string>),
    ...{ DATA_DIR: folder, FILES: 'local' },
    DATA_KEY: keys.data.toString('base64'),
    TOKEN_KEY: keys.token.toString('base64'),
    CLAIM_KEY: keys.claim.toString('base64'),
    BOT_CHECK_KEY: keys.botCheck.toString('base64'),
    ...(proof ? { LOG_KEY: proof.key.toString('base64') } : {}),
    ...(proof?.before ? { LOG_KEY_BEFORE: proof.before.key.toString('base64') } : {}),
  };
}

function sizeOf({ log, keys, state }: Manifest): string {
  const objects = [...log.segments, ...keys.full, ...keys.changes, ...state.objects];
  return `${Math.ceil(objects.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000)} kB`;
}

/** Since a moment of `performance.now`. */
export const seconds = (began: number) => ((performance.now() - began) / 1_000).toFixed(1);

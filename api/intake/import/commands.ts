import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { counted } from '#api/cli/report.ts';
import { type System, withSystem } from '#api/cli/system.ts';
import { print } from '#api/cli/terminal.ts';
import { findForm } from '#api/intake/public-form.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import type { EventStore } from '#core/event-store/port.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { jobDecider } from '#core/job/job.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { getTimeZone } from '#projections/accounts/read.ts';
import { openArchive } from './archive.ts';
import { type MappedJob, mapRows, readColumnMap } from './column-map.ts';
import { readCsv } from './csv.ts';
import { ACTOR, importJob, type Outcome, refusalOf, tooLong } from './import-job.ts';

const halted = () => 'what was added stays, and the same command goes on.';

type Options = Readonly<{ business: string; map?: string; dryRun?: boolean }>;

export function addImportCommand(program: Command): void {
  program
    .command('import')
    .argument('<file>', 'a ZIP that "Download everything" made, or with --map a CSV of another product')
    .requiredOption('--business <slug>', 'into which: the last part of the address of its public form')
    .option('--map <file>', 'says which columns of a CSV a job is made from (api/operate/businesses.md)')
    .option('--dry-run', 'of a CSV: says line by line what is wrong, and adds nothing')
    .description(
      'Adds the jobs of an export or of a CSV to a business, each once, however often it is run. Sends no message.',
    )
    .action((file: string, options: Options) =>
      withSystem((system, signal) => {
        const { business, map, dryRun = false } = options;
        if (map !== undefined) return importCsv(system, { file, map, business, dryRun }, signal);
        if (dryRun) throw new Error('--dry-run is for a CSV, with --map.');
        return importAll(system, file, business, signal);
      }, halted),
    );
}

type CsvImport = Readonly<{ file: string; map: string; business: string; dryRun: boolean }>;

/** Rows that cannot become a job are named, and the others added; with `dryRun` all that is wrong is named alone. */
async function importCsv(system: System, asked: CsvImport, signal: AbortSignal): Promise<boolean> {
  const { db, store, now } = system;
  const form = await findForm(system, asked.business);
  if (!form) throw new Error('There is no business with this address.');
  const map = readColumnMap(await readFile(asked.map, 'utf8'));
  const timeZone = (await getTimeZone(db, form.businessId)) ?? 'UTC';
  const rows = mapRows(map, readCsv(await readFile(asked.file), map.separator ?? null), {
    timeZone,
    region: form.form.region,
    now: now(),
  });
  const counts = { added: 0, there: 0, refused: 0 };
  for (const { line, job, problems } of rows) {
    signal.throwIfAborted();
    if (!job) {
      counts.refused += 1;
      print([`line ${line}: ${problems.join('; ')}`]);
    } else if (!asked.dryRun) {
      const outcome = await importRow({ store, now }, form.businessId, job).catch(refusalOf);
      if (typeof outcome === 'string') counts[outcome] += 1;
      else {
        counts.refused += 1;
        print([`line ${line}: ${outcome.why}`]);
      }
    }
  }
  const { added, there, refused } = counts;
  const fitting = rows.length - refused;
  print([
    asked.dryRun ? `${fitting} of ${rows.length} lines fit; nothing was added` : addedLine(added, there),
    ...(refused > 0 ? [`${refused} could not be added: see the lines above`] : []),
  ]);
  return refused === 0;
}

function addedLine(added: number, there: number): string {
  return `${added} ${added === 1 ? 'job' : 'jobs'} added, ${there} ${there === 1 ? 'was' : 'were'} there already`;
}

/**
 * Makes the job of a row, in its status; no message goes out. The same key again adds nothing: a run that was ended goes on, and
 * what was changed here since stays. Answers whether the job was there before.
 */
async function importRow(
  { store, now }: Readonly<{ store: EventStore; now: () => Date }>,
  businessId: string,
  { key, values, createdAt, scheduledAt, status }: MappedJob,
): Promise<'added' | 'there'> {
  const jobId = uuidV5(businessId, `import row ${key}`);
  const stream = streamName('job', jobId);
  const known = await store.readStream(stream);
  if (known.length > 1 || known.some(({ metadata }) => metadata.actor !== ACTOR)) return 'there';
  const at = createdAt ?? now().toISOString();
  const context = (name: string) => ({ commandId: uuidV5(jobId, name), actor: ACTOR, correlation: 'import' });
  const of = { jobId, businessId };
  if (known.length === 0) {
    const { address, ...typed } = values;
    const location = { address, placeId: null, lat: null, lng: null };
    const data = { ...of, ...typed, location, scheduledAt };
    await handleCommand(store, jobDecider, stream, { type: 'AddJob', at, data }, context('came'));
  }
  const change = { type: 'ChangeJobStatus', at, data: { ...of, status } } as const;
  await handleCommand(store, jobDecider, stream, change, context('status'));
  return known.length === 0 ? 'added' : 'there';
}

async function importAll(system: System, file: string, slug: string, signal: AbortSignal): Promise<boolean> {
  const form = await findForm(system, slug);
  if (!form) throw new Error('There is no business with this address.');
  const into = { businessId: form.businessId, region: form.form.region };
  const archive = await openArchive(file);
  try {
    const counts = { added: 0, there: 0, withheld: 0, refused: 0 } satisfies Record<Outcome['kind'], number>;
    let [line, filesLeftOut] = [0, 0];
    for await (const text of archive.lines('jobs.ndjson')) {
      signal.throwIfAborted();
      line += 1;
      const outcome = text === null ? tooLong : await importJob(system, into, archive, text).catch(refusalOf);
      counts[outcome.kind] += 1;
      if (outcome.kind === 'refused') print([`line ${line}: ${outcome.why}`]);
      if ('filesLeftOut' in outcome) filesLeftOut += outcome.filesLeftOut;
    }
    const { added, there, withheld, refused } = counts;
    print([
      addedLine(added, there),
      `${withheld} left out: removed, or never accepted and so without contact`,
      ...(refused > 0 ? [`${refused} could not be added: see the lines above`] : []),
      ...(filesLeftOut > 0
        ? [`${counted(filesLeftOut, 'file')} left out: not in the archive, or too large`]
        : []),
    ]);
    return refused === 0;
  } finally {
    archive.close();
  }
}

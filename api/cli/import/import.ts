import type { Command } from 'commander';
import { filesOf, print, type System, withSystem } from '#api/cli/system.ts';
import { findForm } from '#api/intake/public-form/find-form.ts';
import { importJob, type Outcome } from './import-job.ts';
import { openArchive } from './read-archive.ts';

const halted = () => 'what was added stays, and the same command goes on.';

export function addImportCommand(program: Command): void {
  program
    .command('import')
    .argument('<zip>', 'a file that "Download everything" made')
    .requiredOption('--business <slug>', 'into which: the last part of the address of its public form')
    .description(
      'Adds the jobs of an export to a business, each once, however often it is run. Sends no message.',
    )
    .action((zip: string, { business }: { business: string }) =>
      withSystem((system, signal) => importAll(system, zip, business, signal), halted),
    );
}

async function importAll(system: System, file: string, slug: string, signal: AbortSignal): Promise<boolean> {
  const { config, db, store } = system;
  const deps = { config, db, store, files: filesOf(system), now: () => new Date() };
  const form = await findForm(deps, slug);
  if (!form) throw new Error('There is no business with this address.');
  const archive = await openArchive(file);
  try {
    const counts = { added: 0, there: 0, withheld: 0, refused: 0 } satisfies Record<Outcome['kind'], number>;
    let [line, filesLeftOut] = [0, 0];
    for await (const text of archive.lines('jobs.ndjson')) {
      signal.throwIfAborted();
      line += 1;
      const outcome = await importJob(deps, form.businessId, archive, text);
      counts[outcome.kind] += 1;
      if (outcome.kind === 'refused') print([`line ${line}: ${outcome.why}`]);
      if ('filesLeftOut' in outcome) filesLeftOut += outcome.filesLeftOut;
    }
    const { added, there, withheld, refused } = counts;
    print([
      `${added} ${added === 1 ? 'job' : 'jobs'} added, ${there} were there already`,
      `${withheld} left out: removed, or never accepted and so without contact`,
      ...(refused > 0 ? [`${refused} could not be added: see the lines above`] : []),
      ...(filesLeftOut > 0 ? [`${filesLeftOut} files left out: not in the archive, or too large`] : []),
    ]);
    return refused === 0;
  } finally {
    archive.close();
  }
}

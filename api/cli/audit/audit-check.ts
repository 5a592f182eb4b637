import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { print } from '#api/cli/system.ts';
import { type CheckedRecord, checkRecord, type Outcome } from '#core/proof/check.ts';
import type { Verdict } from '#core/proof/finding.ts';
import { type Given, readGiven } from '#core/proof/given.ts';

/** As an exit code: the files could not be read. */
const COULD_NOT_READ = 2;

type Options = Readonly<{ checkpoint: readonly string[]; key: readonly string[] }>;

export function addAuditCheckCommand(audit: Command): void {
  audit
    .command('check')
    .argument('<record>', 'file of a job record')
    .option('--checkpoint <file...>', 'what you were handed elsewhere: a checkpoint, or a saved receipt', [])
    .option('--key <vkey...>', 'key of the log, from elsewhere', [])
    .description(
      'Checks a job record. Needs no installation and no database. Exit code 1 when it does not fit; 2 when it could not be read.',
    )
    .action(check);
}

async function check(file: string, { checkpoint, key }: Options): Promise<void> {
  try {
    const record = await readFile(file, 'utf8');
    const texts = await Promise.all(checkpoint.map((one) => readFile(one, 'utf8')));
    const given: Given = readGiven([...texts, ...key].join('\n'));
    if (given.checkpoints.length < checkpoint.length || given.vkeys.length < key.length)
      throw new Error('A checkpoint or a key that was given is not one.');
    const checked = checkRecord(record, given);
    print(checkLines(checked));
    process.exitCode = checked.outcome === 'does-not-fit' ? 1 : 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = COULD_NOT_READ;
  }
}

const outcomes: Record<Outcome, string> = {
  fits: 'This record fits, and its log is the one that you know.',
  'fits-itself':
    'This record fits itself. Whose log it is, only a checkpoint or a key that you have can show.',
  'does-not-fit': 'This record does not fit.',
};

const headings: readonly (readonly [Verdict, string])[] = [
  ['failed', 'Does not fit'],
  ['proven', 'Proven'],
  ['said', 'Said by Ute'],
  ['not-checked', 'Not checked'],
];

/** The outcome, and under each heading what was found. */
function checkLines({ outcome, findings }: CheckedRecord): string[] {
  return [
    outcomes[outcome],
    ...headings.flatMap(([verdict, heading]) => {
      const found = findings.filter((one) => one.verdict === verdict);
      return found.length === 0 ? [] : ['', heading, ...found.map(({ text }) => `  ${text}`)];
    }),
  ];
}

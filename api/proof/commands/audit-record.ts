import { readFile, writeFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { idFrom, jobIdOf, withSystem } from '#api/cli/system.ts';
import { print, printError } from '#api/cli/terminal.ts';
import { foldReadable } from '#api/jobs/load-job.ts';
import { typedEvents } from '#core/event-store/codec.ts';
import { isJobEvent } from '#core/job/job.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { type CheckedRecord, checkRecord } from '#core/proof/check.ts';
import type { Given } from '#core/proof/check-given.ts';
import { readAllGiven, readGiven } from '#core/proof/check-log.ts';
import { detailsHeading, verdictHeadings } from '#core/proof/finding.ts';
import { verdictWords } from '#core/proof/verdict-words.ts';
import { product } from '#core/values/product.ts';
import { type RecordAudience, recordAudiences } from '#core/values/stored-details.ts';

type Options = Readonly<{ out: string; audience: RecordAudience; at?: Date; anchor: readonly number[] }>;

/** `instant` reads a moment, as the other commands of `ute audit` do. */
export function addAuditRecordCommand(audit: Command, instant: (text: string) => Date): void {
  audit
    .command('record')
    .argument('<id>', 'of the job, as in the address of its page, or its reference', idFrom)
    .requiredOption('--out <file>', 'where the record is written')
    .addOption(new Option('--audience <who>', 'whom it is for').choices(recordAudiences).default('owner'))
    .option('--at <instant>', 'leaves out what came later, such as 2026-11-20T09:00:00+11:00', instant)
    .option(
      '--anchor <size...>',
      'of a checkpoint that the reader has, beside those that were mailed',
      addSize,
      [],
    )
    .description('Makes a signed record of a job, while a worker runs. The history of the job names it.')
    .action(record);
}

function addSize(text: string, before: readonly number[]): readonly number[] {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('It is a number of events.');
  return [...before, Number(text)];
}

function record(named: string, { out, audience, at, anchor: anchors }: Options): Promise<void> {
  return withSystem(async (system) => {
    const { store, newId, proof } = system;
    const stream = streamName('job', await jobIdOf(system, named));
    const details = foldReadable(typedEvents(isJobEvent, await store.readStream(stream)));
    if (details === null) throw new Error('There is no such job.');
    const { id: jobId, businessId } = details;
    const moment = { at: at ?? null, upTo: null };
    const wanted = { businessId, jobId, audience, by: 'operator', ...moment, anchors } as const;
    const issued = await proof.issueRecord(wanted, { actor: 'system', correlation: newId() });
    await writeFile(out, issued.record, { mode: 0o600 });
    print([`The record for the ${audience} is in ${out}.`]);
    return true;
  });
}

/** As exit codes: the files could not be read; what was given does not back up all of the record. */
const COULD_NOT_READ = 2;
const NOT_ALL_BACKED_UP = 3;

type CheckOptions = Readonly<{ checkpoint: readonly string[]; key: readonly string[] }>;

export function addAuditCheckCommand(audit: Command): void {
  audit
    .command('check')
    .argument('<record>', 'file of a job record')
    .option('--checkpoint <file...>', 'what you were handed elsewhere: a checkpoint, or a saved receipt', [])
    .option('--key <vkey...>', 'key of the log, from elsewhere', [])
    .description(
      'Checks a job record. Needs no installation and no database. Exit code 1 when it does not fit; 2 when it could not be read; 3 when what you gave does not back up all of it.',
    )
    .action(check);
}

async function check(file: string, { checkpoint, key }: CheckOptions): Promise<void> {
  try {
    const record = await readFile(file, 'utf8');
    const texts = await Promise.all(checkpoint.map((one) => readFile(one, 'utf8')));
    for (const [n, one] of texts.entries())
      if (isEmpty(readGiven(one)))
        throw new Error(`${checkpoint[n]} has no checkpoint, line of a receipt or key.`);
    if (key.some((one) => readGiven(one).vkeys.length === 0))
      throw new Error('A key that was given is not one.');
    const checked = checkRecord(record, readAllGiven([...texts, ...key]));
    print(checkLines(checked));
    const isAsked = texts.length + key.length > 0;
    if (checked.outcome === 'does-not-fit') process.exitCode = 1;
    else process.exitCode = isAsked && checked.outcome !== 'fits' ? NOT_ALL_BACKED_UP : 0;
  } catch (error) {
    printError(error instanceof Error ? error.message : String(error));
    process.exitCode = COULD_NOT_READ;
  }
}

const isEmpty = ({ checkpoints, vkeys }: Given) => checkpoints.length + vkeys.length === 0;

/** The outcome, under each heading what was found, and last what experts read. */
function checkLines(checked: CheckedRecord): string[] {
  const { title, advice } = verdictWords(checked);
  const { findings } = checked;
  const lists = [
    ...verdictHeadings(product.name).map(([verdict, heading]) => ({
      heading,
      texts: findings.filter((one) => one.verdict === verdict).map(({ text }) => text),
    })),
    { heading: detailsHeading, texts: findings.flatMap(({ detail }) => detail ?? []) },
  ];
  return [
    `${title}. ${advice}`,
    ...lists.flatMap(({ heading, texts }) =>
      texts.length === 0 ? [] : ['', heading, ...texts.map((text) => `  ${text}`)],
    ),
  ];
}

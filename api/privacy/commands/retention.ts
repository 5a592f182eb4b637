import type { Command } from 'commander';
import { counted } from '#api/cli/report.ts';
import { type System, withSystem } from '#api/cli/system.ts';
import { print } from '#api/cli/terminal.ts';
import { findOverdueJobs, mostOfARun, type OverdueJob, runRetention } from '#api/privacy/retention/run.ts';
import type { RetentionRule } from '#core/job/retention/periods.ts';
import { retentionYears } from '#core/values/stored-details.ts';

export function addRetentionCommand(program: Command): void {
  const retention = program.command('retention').description("How long customers' details are stored.");
  retention
    .command('report')
    .option('--json', 'as JSON, with the id of each job')
    .description('Whose details are stored longer than needed. Changes nothing.')
    .action(({ json = false }: { json?: boolean }) =>
      withSystem((system, signal) => report(system, json, signal)),
    );
  retention
    .command('run')
    .description(
      `What the worker does each night: with RETENTION=on it asks for at most ${mostOfARun} removals, each due after the usual grace. The first run only reports.`,
    )
    .action(() => withSystem(run, () => 'what was asked for already stays so.'));
}

async function run({ store, pool, config, now }: System, signal: AbortSignal): Promise<boolean> {
  if (config.retention === 'off') throw new Error('RETENTION is off: nothing was looked for.');
  const acts = config.retention === 'on';
  const ran = await runRetention({ store, everyRow: pool, now }, { acts }, signal);
  if (ran === null) throw new Error('Another run has just begun.');
  const { found, requested, isReport } = ran;
  print([
    ...rules.map((rule) => lineOf(rule, found[rule])),
    isReport
      ? `nothing was asked for: ${acts ? 'the first run only reports' : 'RETENTION is report'}`
      : `removals asked for: ${requested}`,
  ]);
  return true;
}

async function report({ store, pool, now }: System, isJson: boolean, signal: AbortSignal): Promise<boolean> {
  const found: OverdueJob[] = [];
  for await (const job of findOverdueJobs({ store, everyRow: pool, now }, signal)) found.push(job);
  if (isJson) print([JSON.stringify(found, null, 2)]);
  else print(rules.map((rule) => lineOf(rule, found.filter((job) => job.rule === rule).length)));
  return true;
}

const { standard, least, most } = retentionYears;
const words: Readonly<Record<RetentionRule, string>> = {
  'never-accepted': 'never accepted, no change for 12 months',
  'worked-on': `worked on, no change for ${standard} years, or the ${least} to ${most} that the business chose`,
};
const rules = Object.keys(words) as RetentionRule[];

function lineOf(rule: RetentionRule, n: number): string {
  return `${words[rule]}: ${counted(n, 'job')}`;
}

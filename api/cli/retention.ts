import type { Command } from 'commander';
import { findOverdueJobs, type OverdueJob } from '#api/privacy/retention/overdue-jobs.ts';
import { type RetentionRule, retentionMonths } from '#core/job/retention.ts';
import { print, type System, withSystem } from './system.ts';

export function addRetentionCommand(program: Command): void {
  program
    .command('retention')
    .description("How long customers' details are stored.")
    .command('report')
    .option('--json', 'as JSON, with the id of each job')
    .description('Whose details are stored longer than needed. Changes nothing: `ute forget job` removes.')
    .action(({ json = false }: { json?: boolean }) =>
      withSystem((system, signal) => report(system, json, signal)),
    );
}

async function report({ store, pool }: System, isJson: boolean, signal: AbortSignal): Promise<boolean> {
  const found: OverdueJob[] = [];
  for await (const job of findOverdueJobs({ store, everyRow: pool, now: () => new Date() }, signal))
    found.push(job);
  if (isJson) print([JSON.stringify(found, null, 2)]);
  else print((Object.keys(words) as RetentionRule[]).map((rule) => lineOf(rule, found)));
  return true;
}

const words: Readonly<Record<RetentionRule, string>> = {
  'never-accepted': 'never accepted',
  'worked-on': 'worked on',
};

function lineOf(rule: RetentionRule, found: readonly OverdueJob[]): string {
  const n = found.filter((job) => job.rule === rule).length;
  return `${words[rule]}, no change for ${retentionMonths[rule]} months: ${n} ${n === 1 ? 'job' : 'jobs'}`;
}

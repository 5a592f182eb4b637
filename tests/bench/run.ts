import '#core/kernel/schema-settings.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Figure, Item } from './figure.ts';
import { acceptedJob } from './items/accepted-job.ts';
import { append } from './items/append.ts';
import { appendFollowed } from './items/append-followed.ts';
import { appendProof } from './items/append-proof.ts';
import { board } from './items/board.ts';
import { checkpointLag } from './items/checkpoint-lag.ts';
import { commandToVisible } from './items/command-to-visible.ts';
import { erasure } from './items/erasure.ts';
import { eventStoreDbAppend } from './items/eventstoredb-append.ts';
import { exportItem } from './items/export.ts';
import { growth } from './items/growth.ts';
import { mostCommands } from './items/most-commands.ts';
import { pageWeight } from './items/page-weight.ts';
import { plans } from './items/plans.ts';
import { proof } from './items/proof.ts';
import { publicPage } from './items/public-page.ts';
import { reads } from './items/reads.ts';
import { rebuild } from './items/rebuild.ts';
import { rebuildServing } from './items/rebuild-serving.ts';
import { refusals } from './items/refusals.ts';
import { restore } from './items/restore.ts';
import { scheduleScroll } from './items/schedule-scroll.ts';
import { start } from './items/start.ts';
import { telemetry } from './items/telemetry.ts';
import { uploadHealth } from './items/upload-health.ts';
import { describeMachine, load, type Machine } from './machine.ts';
import { anyPrepared, benchFolder, database, prepare } from './prepared.ts';
import { type Measured, type Report, tableOf } from './report.ts';

const items: readonly Item[] = [
  ...[start, pageWeight, scheduleScroll, publicPage, reads, board, plans, growth],
  ...[commandToVisible, mostCommands],
  ...[
    acceptedJob,
    telemetry,
    append,
    appendProof,
    appendFollowed,
    eventStoreDbAppend,
    rebuild,
    rebuildServing,
    proof,
    checkpointLag,
  ],
  ...[exportItem, erasure, restore, refusals, uploadHealth],
];

const usage = `Usage: bun run bench [item…] [--json <file>]
       bun run bench --prepare [--share <0…1>]

  --prepare  makes the data to measure on, once: 1.1 million jobs, some minutes
  --share    only so much of the data, for trying the bench out
  --json     where the figures go besides (.data/bench/figures.json)

${items.map(({ name, about }) => `  ${name.padEnd(20)} ${about}`).join('\n')}`;

const say = (text: string) => console.error(text);

try {
  await main();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      prepare: { type: 'boolean' },
      share: { type: 'string', default: '1' },
      json: { type: 'string', default: join(benchFolder, 'figures.json') },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return console.log(usage);
  if (values.prepare) return prepare(Number(values.share), say);
  const wanted = chosen(positionals);
  mkdirSync(benchFolder, { recursive: true });
  const measured: Measured[] = [];
  for (const item of wanted) measured.push(await measure(item));
  const machine = await describe();
  const report: Report = { at: new Date().toISOString(), commit: commit(), machine, items: measured };
  writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
  console.log(tableOf(report));
}

function chosen(names: readonly string[]): readonly Item[] {
  const unknown = names.find((name) => !items.some((item) => item.name === name));
  if (unknown) throw new Error(`There is no item ${unknown}.\n\n${usage}`);
  return names.length === 0 ? items : items.filter(({ name }) => names.includes(name));
}

async function measure({ name, measure }: Item): Promise<Measured> {
  say(`${name} …`);
  const [began, before] = [performance.now(), load()];
  const figures = await measure((text) => say(`  ${text}`)).catch((error: unknown) => [failed(name, error)]);
  const seconds = Math.round((performance.now() - began) / 1_000);
  say(`  ${seconds} s`);
  return { item: name, load: `${before} to ${load()}`, seconds, figures };
}

/** What could not be measured must not cost the others, nor pass for done. */
function failed(what: string, error: unknown): Figure {
  process.exitCode = 1;
  const note = error instanceof Error ? error.message : String(error);
  return { what, value: 'not measured', budget: '', met: null, note };
}

/** By the Postgres of any installation: all have the same. */
async function describe(): Promise<Machine> {
  const open = await database(anyPrepared(), 1);
  try {
    return await describeMachine(open.pool, benchFolder);
  } finally {
    await open.close();
  }
}

function commit(): string {
  const { stdout } = Bun.spawnSync(['git', 'rev-parse', '--short', 'HEAD']);
  return stdout.toString().trim() || 'unknown';
}

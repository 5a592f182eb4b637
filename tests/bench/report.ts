import type { Figure } from './figure.ts';
import type { Machine } from './machine.ts';
import type { Ratio } from './statistics.ts';

/** The figures of one item, with how much else the machine had to do meanwhile. */
export type Measured = Readonly<{ item: string; load: string; seconds: number; figures: readonly Figure[] }>;

export type Report = Readonly<{ at: string; commit: string; machine: Machine; items: readonly Measured[] }>;

/** A table for people: ratios first, then what they were made of. Markdown, readable as it is. */
export function tableOf({ at, commit, machine, items }: Report): string {
  const rows = items.flatMap(({ load, figures }) => figures.map((figure) => rowOf(figure, load)));
  const head = ['figure', 'ratio to control (range)', 'measured', 'control', 'budget', 'met', 'load', 'note'];
  return [
    `${at}, commit ${commit}`,
    `${machine.processor}, ${machine.cores} cores, ${machine.memoryGb} GB; Bun ${machine.bun}, Postgres ${machine.postgres}, ${machine.fsyncs} fsyncs/s`,
    '',
    ...align([head, head.map(() => '---'), ...rows]),
  ].join('\n');
}

function rowOf({ what, value, control, ratio, budget, met, note }: Figure, load: string): string[] {
  const verdict = met === null ? '' : met ? 'yes' : 'NO';
  return [what, ratio ? ratioText(ratio) : '', value, control ?? '', budget, verdict, load, note ?? ''];
}

function ratioText({ median, least, most, pairs }: Ratio): string {
  return `${median.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)}, ${pairs} pairs)`;
}

function align(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) => {
    const cells = row.map((cell, column) =>
      cell === '---' ? '-'.repeat(widths[column] ?? 3) : cell.padEnd(widths[column] ?? 0),
    );
    return `| ${cells.join(' | ')} |`;
  });
}

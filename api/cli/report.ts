import type { ChainReport } from '#core/event-store/chain.ts';
import type { Position } from '#core/event-store/port.ts';
import type { Replay } from '#projections/runtime/follow/replay-parked.ts';
import type { ProjectionStatus } from '#projections/runtime/read-side/status.ts';
import type { Pruning } from '#projections/runtime/rebuild/prune.ts';
import type { Verification } from '#projections/runtime/rebuild/verify.ts';

type SignIn = Readonly<{ email: string; password: string; slug: string }>;

/** `1 job`, `2 jobs`. */
export function counted(n: number, one: string, more = `${one}s`): string {
  return `${n} ${n === 1 ? one : more}`;
}

/** A table of the projections: name, state, position of head, parked events. */
export function statusLines(statuses: readonly ProjectionStatus[]): string[] {
  const rows = statuses.map(({ name, version, state, position, head, parked }) => {
    return [name, `v${version}`, state, `${position}/${head}`, `${parked} parked`];
  });
  return columns([['projection', 'version', 'state', 'position/head', 'parked'], ...rows]);
}

/** A table of the processes: name, state, position of head, parked events. */
export function processLines(statuses: readonly Omit<ProjectionStatus, 'version'>[]): string[] {
  const rows = statuses.map(({ name, state, position, head, parked }) => {
    return [name, state, `${position}/${head}`, `${parked} parked`];
  });
  return columns([['process', 'state', 'position/head', 'parked'], ...rows]);
}

export function rebuiltLine(name: string, position: Position, milliseconds: number): string {
  return `${name}: rebuilt to position ${position} in ${(milliseconds / 1_000).toFixed(1)} s`;
}

/** One line when the tables are what the log says, else one for each table that is not. */
export function verifiedLines(name: string, { position, differences }: Verification): string[] {
  if (differences.length === 0) return [`${name}: equal to the log at position ${position}`];
  return differences.map(({ table, onlyLive, onlyRebuilt }) => {
    return `${name}: DIFFERS at position ${position}: ${table} has ${counted(onlyLive, 'row')} that a rebuild has not, and lacks ${onlyRebuilt}`;
  });
}

/** One line: the chains fit, or the first place where they do not and why. */
export function auditLine(what: string, { checked, broken }: ChainReport): string {
  if (!broken) return `${what}: ${counted(checked, 'event')} checked, every hash fits`;
  const { position, stream, revision, reason } = broken;
  return `${what}: BROKEN at position ${position} (${stream}, revision ${revision}): ${reason}; ${counted(checked, 'event')} before it ${checked === 1 ? 'fits' : 'fit'}`;
}

/** How many events went through, and each one that did not: position, stream, type, reason. */
export function replayLines(name: string, { applied, remaining }: Replay): string[] {
  const summary = `${name}: ${applied} applied, ${remaining.length} still parked`;
  return [
    summary,
    ...remaining.map(({ position, stream, type, reason }) => `  ${position} ${stream} ${type}: ${reason}`),
  ];
}

/** What was dropped, and what could not be. */
export function pruningLines({ dropped, inUse }: Pruning): string[] {
  if (dropped.length + inUse.length === 0) return ['nothing to drop'];
  return [...dropped.map((key) => `${key}: dropped`), ...inUse.map((key) => `${key}: still in use, kept`)];
}

/** What was put in, and how to sign in to the first business of it. */
export function seededLines(
  { jobs, events, first }: Readonly<{ jobs: number; events: number; first: SignIn }>,
  milliseconds: number,
): string[] {
  return [
    `seeded ${jobs} jobs (${events} events) in ${(milliseconds / 1_000).toFixed(1)} s`,
    `sign in: ${first.email}  ${first.password}`,
    `public form: /t/${first.slug}`,
  ];
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => (row[index] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

const WIDTH = 24;
/** A terminal is redrawn no more often than this, in milliseconds. */
const REDRAW = 100;

export type Progress = (what: string, done: number, of: number) => void;

type Output = Readonly<{ isTTY?: boolean; write(text: string): unknown }>;

/** Shows how far something is: a bar and an estimate on a terminal, a plain line at each tenth in a pipe. */
export function createProgress(output: Output = process.stdout, now = () => performance.now()): Progress {
  const steps = new Map<string, { tenth: number; began: number; drawn: number }>();
  return (what, done, of) => {
    const shown = steps.get(what) ?? { tenth: 0, began: now(), drawn: Number.NEGATIVE_INFINITY };
    steps.set(what, shown);
    const share = of === 0 ? 1 : Math.min(1, done / of);
    const tenth = Math.floor(share * 10);
    const isOver = share === 1;
    if (!output.isTTY) {
      if (tenth > shown.tenth) output.write(`${what}: ${done} of ${of}\n`);
    } else if (isOver || now() - shown.drawn >= REDRAW) {
      const left = estimate(share, now() - shown.began);
      output.write(
        `\r\u001b[K${what} ${bar(share)} ${Math.floor(share * 100)} %${left}${isOver ? '\n' : ''}`,
      );
      shown.drawn = now();
    }
    shown.tenth = tenth;
  };
}

function bar(share: number): string {
  const full = Math.round(share * WIDTH);
  return `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}]`;
}

function estimate(share: number, milliseconds: number): string {
  if (share < 0.02 || share === 1) return '';
  const seconds = Math.ceil((milliseconds / share - milliseconds) / 1_000);
  return seconds < 100 ? `, ${seconds} s left` : `, ${Math.ceil(seconds / 60)} min left`;
}

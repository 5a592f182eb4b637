import { hash } from 'node:crypto';
import { type GrowingTree, growingTree, leafHash, type Sha256 } from '#core/crypto/merkle.ts';
import type { LogKind } from '#core/event-store/log-origin.ts';
import { comparePositions, type Position, START } from '#core/event-store/port.ts';
import type { RawEvent, RawLog } from '#core/event-store/raw-log.ts';
import type { LogPart, Segment } from './manifest.ts';
import { nameOfInstant, type ObjectWriter } from './objects.ts';

/** Events of a whole segment, which is never written again. */
const WHOLE = 20_000;
/** Smaller segments at the end of the log: more than so many become one. */
const MOST_PIECES = 60;
const PAGE = 1_000;

export const sha256: Sha256 = (bytes) => hash('sha256', bytes, 'buffer');

export type LogSource = Pick<RawLog, 'readAll' | 'readLeaves' | 'head'> & Readonly<{ kind: LogKind }>;

/**
 * Writes what the log has more than `previous`, up to where it ends now, as it is stored. Answers `previous` itself when
 * that is nothing. A log that does not go on where `previous` ends, as after a restore, is written from its beginning.
 */
export async function writeLog(
  log: LogSource,
  writer: ObjectWriter,
  previous: LogPart | null,
  at: Date,
): Promise<LogPart> {
  const head = await log.head();
  const before =
    previous && previous.kind === log.kind && (await goesOn(log, previous, head))
      ? previous
      : emptyPart(log.kind, (previous?.line ?? 0) + 1);
  const tree = growingTree(sha256, {
    size: before.size,
    peaks: before.peaks.map((peak) => Buffer.from(peak, 'base64')),
  });
  if (!(await hasMore(log, before, head))) return before;
  const kept = keptSegments(before);
  const written = await writeFrom(log, writer, { part: before, kept, tree, head, at });
  return {
    ...before,
    size: tree.size(),
    root: base64(tree.root()),
    peaks: tree.peaks().map(base64),
    last: written.last,
    segments: [...kept, ...written.segments],
  };
}

/** An object's events for a restore. Throws SyntaxError for lines that are none. */
export function eventsOf(lines: readonly string[]): RawEvent[] {
  return lines.map((line) => JSON.parse(line) as RawEvent);
}

/** Takes events in, in the order of the log, for a tree over them. */
export function pushEvent(tree: GrowingTree, { metadata }: RawEvent): void {
  tree.push(leafHash(sha256, Buffer.from(metadata.hash, 'hex')));
}

function emptyPart(kind: LogKind, line: number): LogPart {
  const root = base64(growingTree(sha256).root());
  return { line, kind, size: 0, root, peaks: [], last: null, segments: [] };
}

/** Whether the log still has the last event that was backed up, where it stood. */
async function goesOn(log: LogSource, { last }: LogPart, head: Position): Promise<boolean> {
  if (!last) return true;
  if (comparePositions(last.position, head) > 0) return false;
  const [leaf] = await log.readLeaves(last.before, 1);
  return leaf?.position === last.position && leaf.hash.toString('hex') === last.hash;
}

async function hasMore(log: LogSource, { last }: LogPart, head: Position): Promise<boolean> {
  const [next] = await log.readAll(last?.position ?? START, 1);
  return next !== undefined && comparePositions(next.position, head) <= 0;
}

/** The segments that stay as they are: all, or the whole ones at the beginning alone when what follows them is to become fewer. */
function keptSegments({ segments }: LogPart): readonly Segment[] {
  const firstPiece = segments.findIndex(({ count }) => count !== WHOLE);
  if (firstPiece < 0) return segments;
  const pieces = segments.slice(firstPiece);
  const isFull = pieces.reduce((sum, { count }) => sum + count, 0) >= WHOLE;
  return pieces.length >= MOST_PIECES || isFull ? segments.slice(0, firstPiece) : segments;
}

type Writing = Readonly<{
  part: LogPart;
  kept: readonly Segment[];
  tree: GrowingTree;
  head: Position;
  at: Date;
}>;

/** Writes the events behind the segments that stay. Those that the tree has already, because small segments become one, are not pushed again. */
async function writeFrom(
  log: LogSource,
  writer: ObjectWriter,
  { part, kept, tree, head, at }: Writing,
): Promise<Readonly<{ segments: Segment[]; last: LogPart['last'] }>> {
  const lastKept = kept.at(-1);
  const rewritten = part.segments[kept.length];
  let start = lastKept ? lastKept.first + lastKept.count : 0;
  let after: Position = rewritten?.after ?? part.last?.position ?? START;
  let lastEvent = part.last;
  let read = after;
  let events: RawEvent[] = [];
  const segments: Segment[] = [];
  const flush = async () => {
    const name = `log/${part.line}/${nameOfSegment(start, events.length, at)}`;
    const stored = await writer.lines(
      name,
      events.map((event) => JSON.stringify(event)),
    );
    segments.push({ ...stored, first: start, count: events.length, after });
    start += events.length;
    after = events.at(-1)?.position ?? after;
    events = [];
  };
  for (let isEnd = false; !isEnd; ) {
    const page = await log.readAll(read, PAGE);
    isEnd = page.length < PAGE;
    for (const event of page) {
      if (comparePositions(event.position, head) > 0) {
        isEnd = true;
        break;
      }
      if (start + events.length >= tree.size()) {
        pushEvent(tree, event);
        const before = lastEvent?.position ?? START;
        lastEvent = { before, position: event.position, hash: event.metadata.hash };
      }
      events.push(event);
      read = event.position;
      if (events.length === WHOLE) await flush();
    }
  }
  if (events.length > 0) await flush();
  return { segments, last: lastEvent };
}

/** Whole segments by their numbers, smaller ones with the instant besides: several may begin at one event. */
function nameOfSegment(first: number, count: number, at: Date): string {
  const numbers = `${String(first).padStart(12, '0')}-${String(first + count - 1).padStart(12, '0')}`;
  return count === WHOLE
    ? `${numbers}.ndjson.zst.age`
    : `pieces/${nameOfInstant(at)}-${numbers}.ndjson.zst.age`;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

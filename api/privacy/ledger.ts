import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** One erased subject, by its id: `customer-…`, `demo-…`. `at` is an instant. */
export type LedgerLine = Readonly<{ at: string; erasureId: string; subject: string }>;

/** What a ledger holds, oldest first; `isWhole` is false where a line was changed, removed or put in between. */
export type LedgerContent = Readonly<{ lines: readonly LedgerLine[]; isWhole: boolean }>;

/**
 * The file outside the database that names every erased subject. A restore of the database brings people back; what stands
 * here erases them again at the next start. It is added to and never taken from, and holds ids alone.
 */
export type Ledger = Readonly<{
  /** Where it is, for messages. */
  file: string;
  /**
   * Adds those subjects that it does not name yet, and answers once they are on the disk. Makes the file with its first line
   * where there is none; with no lines it does just that. One process at a time: callers hold `ledgerLock`.
   */
  append(lines: readonly LedgerLine[]): Promise<void>;
  /** Null where there is no file yet. Throws what the disk throws. */
  read(): Promise<LedgerContent | null>;
}>;

/** The name of the lock (`lockUntilCommit`) under which lines are added: each is tied to the one before. */
export const ledgerLock = 'erasure ledger';

const START = '0'.repeat(64);
const LINE = /^(\d{4}-\S+Z) ([A-Za-z0-9-]+) ([A-Za-z0-9-]+) ([0-9a-f]{64})$/;
/** Stands in the first line, which is there before anything is erased: a target without a ledger is told from one without erasures. */
const OPENING = 'ledger';

/** The ledger in a file. */
export function fileLedger(file: string): Ledger {
  return {
    file,
    async append(lines) {
      const text = await readText(file);
      const known = linesIn(text ?? '');
      const named = new Set(known.map(({ subject }) => subject));
      const fresh = lines.filter(({ subject }) => !named.has(subject));
      const opening = { at: new Date(0).toISOString(), erasureId: OPENING, subject: OPENING };
      const all = known.length === 0 ? [opening, ...fresh] : fresh;
      if (all.length === 0) return;
      let previous = known.at(-1)?.text;
      const written = all.map((line) => {
        previous = `${line.at} ${line.erasureId} ${line.subject} ${previous === undefined ? START : hashOf(previous)}`;
        return previous;
      });
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      // A process that was killed while it wrote may have left half a line: it gets an end, and is no line.
      const end = text !== null && text !== '' && !text.endsWith('\n') ? '\n' : '';
      await appendFile(file, `${end}${written.join('\n')}\n`, { flush: true, mode: 0o600 });
    },

    async read() {
      const text = await readText(file);
      return text === null ? null : parseLedger(text);
    },
  };
}

/** A ledger's text as it is in the file, or in a copy of it. Half a line, left by a process that was killed, is passed over. */
export function parseLedger(text: string): LedgerContent {
  const lines = linesIn(text);
  const isWhole = lines.every(({ previous }, index) => {
    const before = lines[index - 1];
    return previous === (before === undefined ? START : hashOf(before.text));
  });
  return {
    isWhole: isWhole && lines.length > 0,
    lines: lines.flatMap(({ at, erasureId, subject }) =>
      erasureId === OPENING ? [] : [{ at, erasureId, subject }],
    ),
  };
}

type Parsed = LedgerLine & Readonly<{ previous: string; text: string }>;

function linesIn(text: string): Parsed[] {
  return text.split('\n').flatMap((line) => {
    const [, at, erasureId, subject, previous] = LINE.exec(line) ?? [];
    if (!at || !erasureId || !subject || !previous) return [];
    return [{ at, erasureId, subject, previous, text: line }];
  });
}

function hashOf(line: string): string {
  return createHash('sha256').update(line).digest('hex');
}

async function readText(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

import { type } from 'arktype';
import { isWorkingStatus, type WorkingStatus, workingStatuses } from '#core/job/statuses.ts';
import { type NewJobValues, normaliseNewJob, validateNewJob } from '#core/values/job-form.ts';
import type { Region } from '#core/values/region.ts';

const Heading = type('string > 0').or(type('string > 0').array().atLeastLength(1));

/** What says which columns of a CSV a job is made from: each by its heading, several are put together. */
const ColumnMap = type({
  '+': 'reject',
  /** What tells one job from another in the file, such as its number there. */
  key: Heading,
  columns: {
    '+': 'reject',
    name: Heading,
    email: Heading,
    phone: Heading,
    address: Heading,
    'title?': Heading,
    'notes?': Heading,
    'createdAt?': Heading,
    'scheduledAt?': Heading,
    'status?': Heading,
  },
  /** The statuses of the file, each with one of ours. */
  'statuses?': type({ '[string]': type.enumerated(...workingStatuses) }),
  /** In which order the file writes days; needed where it has some. */
  'dates?': "'day-month-year' | 'month-day-year' | 'year-month-day'",
  /** What stands between two cells, where the heading does not tell. */
  'separator?': "',' | ';' | '\t'",
});
export type ColumnMap = typeof ColumnMap.infer;
type Field = keyof ColumnMap['columns'];

/** Throws with one line that says what is wrong in it. */
export function readColumnMap(text: string): ColumnMap {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw new Error('The map is not JSON.');
  }
  const map = ColumnMap(given);
  if (map instanceof type.errors) throw new Error(`The map: ${map.summary.split('\n')[0]}`);
  const { createdAt, scheduledAt, status } = map.columns;
  if ((createdAt || scheduledAt) && !map.dates)
    throw new Error('The map: dates must say in which order days are written');
  if (status && !map.statuses) throw new Error('The map: statuses must name each status of the file');
  return map;
}

/** A job as a row has it. Instants as `Date.toISOString` writes them. */
export type MappedJob = Readonly<{
  key: string;
  values: Required<NewJobValues>;
  createdAt: string | null;
  scheduledAt: string | null;
  status: WorkingStatus;
}>;

/** A row as a job, or everything that is wrong with it, each in words that name the column. */
export type MappedRow = Readonly<{ line: number }> &
  Readonly<{ job: MappedJob; problems?: never } | { job?: never; problems: readonly string[] }>;

/** What is put between the parts of a field that several columns make. A phone and an email are the first that is filled. */
const BETWEEN: Partial<Record<Field | 'key', string>> = {
  name: ' ',
  address: ', ',
  title: ' ',
  notes: '\n\n',
  key: ' ',
};

/** Where the business is that the file is for: its IANA zone and its country. */
type Place = Readonly<{ timeZone: string; region: Region }>;

/** Throws with one line for a heading that the file does not have, or has twice. Times and numbers of the file are read as the place has them. */
export function mapRows(map: ColumnMap, rows: readonly CsvRow[], { timeZone, region }: Place): MappedRow[] {
  const [heading, ...others] = rows;
  if (!heading) throw new Error('The file is empty.');
  const places = placesOf(
    map,
    heading.cells.map((cell) => cell.trim()),
  );
  const lineOfKey = new Map<string, number>();
  return others.map(({ line, cells }) => {
    const text = (field: Field | 'key') =>
      joined(
        field,
        (places.get(field) ?? []).map((place) => cells[place]?.trim() ?? ''),
      );
    const key = text('key');
    const values = {
      ...{ name: text('name'), email: text('email'), phone: text('phone'), address: text('address') },
      ...{ title: text('title'), notes: text('notes') },
    };
    const problems: string[] = Object.values(validateNewJob(values, region));
    const instant = (field: 'createdAt' | 'scheduledAt') => {
      if (text(field) === '') return null;
      const at = readInstant(text(field), map.dates ?? 'year-month-day', timeZone);
      if (at === null)
        problems.push(`${headingsOf(map, field)}: "${text(field)}" is no day that fits ${map.dates}`);
      return at;
    };
    const [createdAt, scheduledAt] = [instant('createdAt'), instant('scheduledAt')];
    const status = text('status') === '' ? 'To quote' : map.statuses?.[text('status')];
    if (!status || !isWorkingStatus(status))
      problems.push(`${headingsOf(map, 'status')}: "${text('status')}" is not among the statuses of the map`);
    const before = lineOfKey.get(key);
    if (key === '') problems.push(`${headingsOf(map, 'key')} is empty`);
    else if (before !== undefined)
      problems.push(`${headingsOf(map, 'key')}: "${key}" is on line ${before} already`);
    else lineOfKey.set(key, line);
    if (problems.length > 0 || !status) return { line, problems };
    return { line, job: { key, values: normaliseNewJob(values, region), createdAt, scheduledAt, status } };
  });
}

/** Where the columns of each field stand in a row. */
function placesOf(map: ColumnMap, heading: readonly string[]): ReadonlyMap<Field | 'key', readonly number[]> {
  const named = Object.entries({ ...map.columns, key: map.key }) as [Field | 'key', string | string[]][];
  return new Map(
    named.map(([field, headings]) => {
      const places = [headings].flat().map((name) => {
        const place = heading.indexOf(name);
        if (place < 0) throw new Error(`The file has no column "${name}". It has: ${heading.join(', ')}`);
        if (heading.indexOf(name, place + 1) >= 0) throw new Error(`The file has two columns "${name}".`);
        return place;
      });
      return [field, places];
    }),
  );
}

const headingsOf = ({ columns, key }: ColumnMap, field: Field | 'key') =>
  [field === 'key' ? key : columns[field]].flat().join(', ');

function joined(field: Field | 'key', cells: readonly string[]): string {
  const filled = cells.filter((cell) => cell !== '');
  const between = BETWEEN[field];
  return between === undefined ? (filled[0] ?? '') : filled.join(between);
}

const NUMBERS = /^(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})(?:[T ,]+(\d{1,2}):(\d\d)(?::\d\d)? ?([ap]m)?)?$/i;

/** An instant with its offset, or a day, with a time or at midnight, on the clocks of a zone; null for anything else. */
function readInstant(text: string, order: NonNullable<ColumnMap['dates']>, timeZone: string): string | null {
  try {
    if (/T.*(Z|[+-]\d\d:\d\d)$/.test(text))
      return new Date(Temporal.Instant.from(text).epochMilliseconds).toISOString();
    const [, first, second, third, hour = '0', minute = '0', half] = NUMBERS.exec(text) ?? [];
    const parts = [first, second, third].map(Number);
    const [year, month, day] = order
      .split('-')
      .map((_, n) => parts[order.split('-').indexOf(['year', 'month', 'day'][n] ?? '')] ?? Number.NaN);
    if (!year || !month || !day || year < 1000) return null;
    const hours = half ? (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : Number(hour);
    const local = Temporal.PlainDateTime.from(
      { year, month, day, hour: hours, minute: Number(minute) },
      { overflow: 'reject' },
    );
    return new Date(local.toZonedDateTime(timeZone).epochMilliseconds).toISOString();
  } catch {
    return null;
  }
}

/** A row of a CSV: the number of the line that it begins on in the file, from 1, and its cells. */
type CsvRow = Readonly<{ line: number; cells: readonly string[] }>;

const separators = [',', ';', '\t'] as const;
export type Separator = (typeof separators)[number];

/**
 * The rows of a CSV (RFC 4180) in UTF-8, with or without a byte order mark; empty lines are left out. Throws with one line
 * for other bytes and for a quote that is never closed.
 * @param separator null: the one that occurs most often in the heading
 */
export function readCsv(bytes: Uint8Array, separator: Separator | null): CsvRow[] {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error('The file is not UTF-8: save it as "CSV UTF-8".');
  }
  return rowsOf(text, separator ?? separatorOf(text));
}

function separatorOf(text: string): Separator {
  const heading = text.split(/\r?\n/, 1)[0] ?? '';
  const count = (one: string) => heading.split(one).length;
  return separators.reduce((best, one) => (count(one) > count(best) ? one : best));
}

function rowsOf(text: string, separator: Separator): CsvRow[] {
  const rows: CsvRow[] = [];
  let [cells, cell, line, begun]: [string[], string, number, number] = [[], '', 1, 1];
  let isQuoted = false;
  const endRow = () => {
    cells.push(cell);
    if (cells.some((one) => one.trim() !== '')) rows.push({ line: begun, cells });
    [cells, cell] = [[], ''];
  };
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (letter === '\n') line += 1;
    if (isQuoted) {
      if (letter !== '"') cell += letter === '\r' && text.charAt(at + 1) === '\n' ? '' : letter;
      else if (text.charAt(at + 1) === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (letter === '"' && cell.trim() === '') [isQuoted, cell] = [true, ''];
    else if (letter === separator) {
      cells.push(cell);
      cell = '';
    } else if (letter === '\n') {
      endRow();
      begun = line;
    } else if (letter !== '\r') cell += letter;
  }
  if (isQuoted) throw new Error(`A quote that opens on line ${begun} is never closed.`);
  if (cell !== '' || cells.length > 0) endRow();
  return rows;
}

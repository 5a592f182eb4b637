import { type } from 'arktype';
import { isWorkingStatus, type WorkingStatus, workingStatuses } from '#core/job/status/statuses.ts';
import { isEmail, normaliseEmail } from '#core/values/contact.ts';
import { type NewJobValues, normaliseNewJob, validateNewJob } from '#core/values/job-form.ts';
import type { Region } from '#core/values/region.ts';
import { readPhone } from '#core/values/typed-phone.ts';
import type { CsvRow } from './csv.ts';
import { implausibleMessage, isPlausible, readInstant } from './typed-instant.ts';

const Heading = type('string > 0').or(type('string > 0').array().atLeastLength(1));

/** What says which columns of a CSV a job is made from: each by its heading, several are put together. */
const ColumnMap = type({
  '+': 'reject',
  /** What tells one job from another in the file, such as its number there. */
  key: Heading,
  columns: {
    '+': 'reject',
    name: Heading,
    'email?': Heading,
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
  /** Rows without an email are added too, where they have a mobile. */
  'withoutEmail?': 'boolean',
  /** What stands between two cells, where the heading does not tell. */
  'separator?': "',' | ';' | '\t'",
});
export type ColumnMap = typeof ColumnMap.infer;
type Field = keyof ColumnMap['columns'];

/** Throws with one line that says what is wrong in it. */
export function readColumnMap(text: string): ColumnMap {
  let given: unknown;
  try {
    given = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw new Error('The map is not JSON.');
  }
  const map = ColumnMap(given);
  if (map instanceof type.errors) throw new Error(`The map: ${map.summary.split('\n')[0]}`);
  const { email, createdAt, scheduledAt, status } = map.columns;
  if (!email && !map.withoutEmail)
    throw new Error('The map: columns must name the one with the email, or withoutEmail must be true');
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

/** What is put between the parts of a field that several columns make. A phone and an email are the first that can be used. */
const BETWEEN: Partial<Record<Field | 'key', string>> = {
  name: ' ',
  address: ', ',
  title: ' ',
  notes: '\n\n',
  key: ' ',
};

/** Where the business is that the file is for, its IANA zone and its country, and when that is. */
type Place = Readonly<{ timeZone: string; region: Region; now: Date }>;

/** Throws with one line for a heading that the file does not have, or has twice. Times and numbers of the file are read as the place has them. */
export function mapRows(map: ColumnMap, rows: readonly CsvRow[], place: Place): MappedRow[] {
  const [heading, ...others] = rows;
  if (!heading) throw new Error('The file is empty.');
  const places = placesOf(
    map,
    heading.cells.map((cell) => cell.trim()),
  );
  const lineOfKey = new Map<string, number>();
  return others.map((row) => {
    // Cells that moved by one would be taken for others' details.
    if (row.cells.length > heading.cells.length) {
      const [n, most] = [row.cells.length, heading.cells.length];
      const problem = `it has ${n} cells and the first line ${most}: what holds a separator has to stand in quotes`;
      return { line: row.line, problems: [problem] };
    }
    return mapRow({ map, places, place }, row, lineOfKey);
  });
}

type Mapping = Readonly<{ map: ColumnMap; places: Places; place: Place }>;

/** No message says what stands in a cell: it may be about a person, and it goes where the output goes. */
function mapRow({ map, places, place }: Mapping, row: CsvRow, lineOfKey: Map<string, number>): MappedRow {
  const { line } = row;
  const cellsOf = (field: Field | 'key') => (places.get(field) ?? []).map((at) => textOf(row.cells[at]));
  const text = (field: Field | 'key') => joined(field, cellsOf(field), place.region);
  const problems: string[] = [];
  const refuse = (field: Field | 'key', why: string) => problems.push(`${headingsOf(map, field)}: ${why}`);
  const email = text('email');
  const isWithout = map.withoutEmail === true && !isEmail(normaliseEmail(email));
  const values = {
    ...{ name: text('name'), email, phone: text('phone'), address: text('address'), title: text('title') },
    notes: joined(
      'notes',
      [text('notes'), ...(isWithout && email ? [`Email in the file: ${email}`] : [])],
      null,
    ),
  };
  for (const [field, message] of Object.entries(validateNewJob(values, place.region)))
    if (!(field === 'email' && isWithout)) refuse(field as keyof typeof values, message);
  const instant = (field: 'createdAt' | 'scheduledAt') => {
    if (text(field) === '') return null;
    const at = readInstant(text(field), map.dates ?? 'year-month-day', place.timeZone);
    if (at === null) refuse(field, `is no day that fits ${map.dates}`);
    else if (!isPlausible(at, place.now)) refuse(field, implausibleMessage);
    return at;
  };
  const [createdAt, scheduledAt] = [instant('createdAt'), instant('scheduledAt')];
  const status = text('status') === '' ? 'To quote' : map.statuses?.[text('status')];
  if (!status || !isWorkingStatus(status)) refuse('status', 'is not among the statuses of the map');
  const key = text('key');
  const before = lineOfKey.get(key);
  if (key === '') refuse('key', 'is empty');
  else if (before !== undefined) refuse('key', `is the same as on line ${before}`);
  else lineOfKey.set(key, line);
  if (problems.length > 0 || !status) return { line, problems };
  const job = normaliseNewJob({ ...values, email: isWithout ? '' : email }, place.region);
  return { line, job: { key, values: job, createdAt, scheduledAt, status } };
}

/** A cell without what spreadsheets write so that a number stays a text: `="0412…"`. */
function textOf(cell = ''): string {
  const text = cell.trim();
  return /^="(.*)"$/s.exec(text)?.[1] ?? text;
}

type Places = ReadonlyMap<Field | 'key', readonly number[]>;

/** Where the columns of each field stand in a row. */
function placesOf(map: ColumnMap, heading: readonly string[]): Places {
  const named = Object.entries({ ...map.columns, key: map.key }) as [Field | 'key', string | string[]][];
  return new Map(
    named.map(([field, headings]) => {
      const places = [headings].flat().map((name) => {
        const place = heading.indexOf(name);
        if (place < 0) throw new Error(`The file has no column "${name}" in its first line.`);
        if (heading.indexOf(name, place + 1) >= 0) throw new Error(`The file has two columns "${name}".`);
        return place;
      });
      return [field, places];
    }),
  );
}

const headingsOf = ({ columns, key }: ColumnMap, field: Field | 'key') =>
  [field === 'key' ? key : columns[field]].flat().join(', ');

function joined(field: Field | 'key', cells: readonly string[], country: Region | null): string {
  const filled = cells.filter((cell) => cell !== '');
  const between = BETWEEN[field];
  if (between !== undefined) return filled.join(between);
  const fits = (cell: string) =>
    field === 'phone'
      ? readPhone(cell, country) !== null
      : field !== 'email' || isEmail(normaliseEmail(cell));
  return filled.find(fits) ?? filled[0] ?? '';
}

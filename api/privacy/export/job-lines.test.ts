import { expect, test } from 'vitest';
import type { JobCardView } from '#core/job/view.ts';
import { calendarEvent, csvLine, localTime } from './job-lines.ts';

const made = new Date('2026-11-23T05:00:00.000Z');
const at = { host: 'ute.example', made, timeZone: 'Australia/Melbourne' };
const job: JobCardView = {
  ...{
    id: '0198c0de-0000-7000-8000-000000000000',
    type: 'Consumer',
    status: 'To quote',
    title: 'Leaking tap',
  },
  ...{ isUrgent: false, scheduledAt: '2026-11-27T22:00:00.000Z', createdAt: made.toISOString() },
  ...{ noLongerNeededAt: null, heldFor: null, name: 'Aroha', email: 'a@b.example', phone: '+61491570156' },
  ...{
    pictures: 0,
    revision: 1,
    location: { address: '7 Mill St, Fitzroy', placeId: null, lat: null, lng: null },
  },
};
const linesOf = (event: string | null) => (event ?? '').split('\r\n');

test('a scheduled job is an event at its time', () => {
  expect(linesOf(calendarEvent(job, at))).toEqual([
    'BEGIN:VEVENT',
    'UID:job-0198c0de-0000-7000-8000-000000000000@ute.example',
    'DTSTAMP:20261123T050000Z',
    'DTSTART:20261127T220000Z',
    'DTEND:20261127T230000Z',
    'SUMMARY:Leaking tap\\, Aroha',
    'LOCATION:7 Mill St\\, Fitzroy',
    'DESCRIPTION:To quote\\n0491 570 156\\na@b.example',
    'END:VEVENT',
    '',
  ]);
});

test('a job with a day and no hour is that day of the calendar', () => {
  const lines = linesOf(calendarEvent({ ...job, scheduledAt: '2026-12-30T13:00:00.000Z' }, at));
  expect(lines.slice(3, 5)).toEqual(['DTSTART;VALUE=DATE:20261231', 'DTEND;VALUE=DATE:20270101']);
});

test('a job without a time, or a rejected one, is none', () => {
  expect(calendarEvent({ ...job, scheduledAt: null }, at)).toBeNull();
  expect(calendarEvent({ ...job, status: 'Rejected' }, at)).toBeNull();
});

test('what a person typed begins no line of its own, and a long line is folded between letters', () => {
  const title = `Tap; "a, b" \\ ${'水'.repeat(60)}\r\nEND:VEVENT\nATTENDEE:x`;
  const { email: _, phone: __, ...withheld } = job;
  const event = calendarEvent({ ...withheld, title }, at) ?? '';
  for (const line of linesOf(event)) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  expect(event.match(/^END:VEVENT|^ATTENDEE/gm)).toEqual(['END:VEVENT']);
  const unfolded = event.replaceAll('\r\n ', '');
  const summary = /^SUMMARY:(.*)$/m
    .exec(unfolded)?.[1]
    ?.trimEnd()
    .replaceAll('\\n', '\n')
    .replace(/\\(.)/g, '$1');
  expect(summary).toBe(`${title.replace('\r\n', '\n')}, Aroha`);
  expect(event).not.toContain('0491');
});

/** Beginnings that spreadsheets calculate, or have calculated, each before something to do. */
const signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
const before = ['', ' ', '\t', '\r', '\n', '\u00a0', '\u3000', '\ufeff'];
const formulas = signs.flatMap((sign) => before.map((space) => `${space}${sign}cmd|' /C calc'!A0`));
const others = ['\tname', '\rname', '\nname'];

/** The cells of one line, as RFC 4180 has them. */
function cellsOf(line: string): string[] {
  expect(line.endsWith('\r\n')).toBe(true);
  const cells = [...line.slice(0, -2).matchAll(/"((?:[^"]|"")*)"(?:,|$)/g)];
  return cells.map(([, cell = '']) => cell.replaceAll('""', '"'));
}

test('no cell is a formula, however it begins', () => {
  const cells = cellsOf(csvLine([...formulas, ...others]));
  expect(cells).toHaveLength(67);
  for (const cell of cells) expect(cell).toMatch(/^'/);
});

test('every other cell comes back as it was', () => {
  const cells = [
    '0412 345 678',
    'Says "hi", twice',
    'two\r\nlines',
    '',
    'a=b',
    '3-5 pm',
    'né 水',
    "O'Brien",
    '7 Mill St',
  ];
  expect(cellsOf(csvLine(cells))).toEqual(cells);
});

test.each([
  ['2026-10-03T15:59:00.000Z', '2026-10-04 01:59'],
  ['2026-10-03T16:00:00.000Z', '2026-10-04 03:00'],
  ['2026-04-04T15:59:59.999Z', '2026-04-05 02:59'],
  ['2026-04-04T16:00:00.000Z', '2026-04-05 02:00'],
  ['2026-12-31T13:00:00.000Z', '2027-01-01'],
  ['2026-10-03T03:00:00.000Z', '2026-10-03 13:00'],
])('%s is %s on the clocks of Melbourne, also where they change', (instant, local) => {
  expect(localTime(instant, 'Australia/Melbourne')).toBe(local);
  expect(localTime(instant, 'UTC')).toBe(instant.slice(0, 16).replace('T', ' '));
});

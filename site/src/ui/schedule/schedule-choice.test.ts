import { expect, test } from 'vitest';
import { jobSlots } from '#core/values/time.ts';
import {
  boundsOf,
  type Clock,
  canShowMonth,
  canShowWeek,
  choiceInWords,
  chooseDay,
  chooseSlot,
  chosenInstant,
  hasTimeLeft,
  isDayOpen,
  isSlotOpen,
  moveFocus,
  nearDays,
  openChoice,
  openForJob,
  shortcutsFrom,
  showChosen,
  showMonth,
  showWeek,
  tomorrowFrom,
} from './schedule-choice.ts';

/** Monday, 5 January 2026, 12:10 in Melbourne: still Sunday evening in Newfoundland, where the tests run. */
const clock: Clock = { timeZone: 'Australia/Melbourne', now: new Date('2026-01-05T01:10:00Z') };
const opened = openChoice(null, clock);
const key = (name: string, shiftKey = false) => ({ key: name, shiftKey });

test('opens on today where the business is, with nothing chosen', () => {
  expect(opened).toEqual({ month: '2026-01', day: null, slot: null, focus: '2026-01-05' });
  expect(choiceInWords(opened)).toBe('Choose a day and a time');
});

test('opens on the time that is set, but not on one that has gone by', () => {
  const set = openChoice('2026-02-05T22:30:00Z', clock);
  expect(set).toEqual({ month: '2026-02', day: '2026-02-06', slot: '09:30', focus: '2026-02-06' });
  expect(openChoice('2025-12-05T22:30:00Z', clock)).toEqual(opened);
});

test('opens on a day without its time, or a time without its day', () => {
  const day = openChoice(null, clock, { day: '2026-02-06', slot: null });
  expect(day).toEqual({ month: '2026-02', day: '2026-02-06', slot: null, focus: '2026-02-06' });
  expect(openChoice(null, clock, { day: null, slot: '09:30' })).toEqual({ ...opened, slot: '09:30' });
});

test('a picker for work that is done suggests no other time', () => {
  expect(openForJob('2026-01-01T22:30:00Z', clock, { isFinished: true })).toEqual(opened);
});

test('no earlier day can be chosen, and none more than two years ahead', () => {
  expect(boundsOf(clock)).toEqual({ first: '2026-01-05', last: '2028-01-05' });
  expect([isDayOpen('2026-01-04', clock), isDayOpen('2026-01-05', clock)]).toEqual([false, true]);
  expect([isDayOpen('2028-01-05', clock), isDayOpen('2028-01-06', clock)]).toEqual([true, false]);
  expect(chooseDay(opened, '2026-01-04', clock)).toBe(opened);
});

test('the user cannot go back before this month, nor on beyond the last', () => {
  expect(canShowMonth(opened, -1, clock)).toBe(false);
  expect(showMonth(opened, -1, clock)).toBe(opened);
  const last = showMonth(opened, 24, clock);
  expect(last.month).toBe('2028-01');
  expect(canShowMonth(last, 1, clock)).toBe(false);
  const next = showMonth(opened, 1, clock);
  expect(next).toMatchObject({ month: '2026-02', focus: '2026-02-05' });
  expect(showMonth(next, -1, clock)).toEqual(opened);
});

test('weeks go from this one to the last with a day that can be chosen, over the ends of months', () => {
  expect(canShowWeek(opened, -1, clock)).toBe(false);
  expect(showWeek(opened, -1, clock)).toBe(opened);
  const fourth = showWeek(opened, 4, clock);
  expect(fourth).toMatchObject({ month: '2026-02', focus: '2026-02-02' });
  // The week of today begins before it: the first day that is open has the keyboard.
  const friday = { ...clock, now: new Date('2026-01-09T01:10:00Z') };
  const monday = showWeek(openChoice(null, friday), 1, friday);
  const back = showWeek({ ...monday, focus: '2026-01-12' }, -1, friday);
  expect(back.focus).toBe('2026-01-09');
  const last = showWeek({ ...opened, focus: '2027-12-31' }, 1, clock);
  expect(last.focus).toBe('2028-01-05');
  expect(canShowWeek(last, 1, clock)).toBe(false);
});

test('the chosen day is shown again from wherever the keyboard went', () => {
  const chosen = chooseDay(opened, '2026-01-08', clock);
  expect(showChosen(showMonth(chosen, 3, clock))).toEqual(chosen);
  const away = showMonth(opened, 3, clock);
  expect(showChosen(away)).toEqual(away);
});

test('of today only what is still to come can be chosen, the slot that runs included', () => {
  const open = jobSlots.filter((slot) => isSlotOpen(slot, '2026-01-05', clock));
  expect(open[0]).toBe('12:00');
  expect(jobSlots.every((slot) => isSlotOpen(slot, '2026-01-06', clock))).toBe(true);
  expect(jobSlots.every((slot) => isSlotOpen(slot, null, clock))).toBe(true);
  const evening = { ...clock, now: new Date('2026-01-05T09:00:00Z') };
  expect([hasTimeLeft('2026-01-05', evening), hasTimeLeft('2026-01-06', evening)]).toEqual([false, true]);
});

test('an instant comes of a day and a time, chosen in either order', () => {
  const day = chooseDay(opened, '2026-01-06', clock);
  expect([chosenInstant(day, clock.timeZone), choiceInWords(day)]).toEqual([
    ...[null, 'Tue 06 Jan, choose a time'],
  ]);
  const time = chooseSlot(opened, '09:30', clock);
  expect([chosenInstant(time, clock.timeZone), choiceInWords(time)]).toEqual([null, '9:30AM, choose a day']);
  for (const both of [chooseSlot(day, '09:30', clock), chooseDay(time, '2026-01-06', clock)]) {
    expect(chosenInstant(both, clock.timeZone)).toBe('2026-01-05T22:30:00.000Z');
    expect(choiceInWords(both)).toBe('Tue 06 Jan, 9:30AM');
  }
});

test('a time that another day has no longer is given up', () => {
  const early = chooseSlot(opened, '09:30', clock);
  expect(chooseDay(early, '2026-01-05', clock)).toMatchObject({ day: '2026-01-05', slot: null });
  const today = chooseDay(opened, '2026-01-05', clock);
  expect(chooseSlot(today, '09:30', clock)).toBe(today);
});

test.each([
  ['ArrowRight', false, '2026-01-15'],
  ['ArrowLeft', false, '2026-01-13'],
  ['ArrowDown', false, '2026-01-21'],
  ['ArrowUp', false, '2026-01-07'],
  ['Home', false, '2026-01-12'],
  ['End', false, '2026-01-18'],
  ['PageDown', false, '2026-02-14'],
  ['PageUp', false, '2026-01-05'],
  ['PageDown', true, '2027-01-14'],
])('%s (shift: %s) goes from 14 to %s', (name, shift, day) => {
  const choice = { ...opened, focus: '2026-01-14' };
  expect(moveFocus(choice, key(name, shift), clock)).toMatchObject({ focus: day, month: day.slice(0, 7) });
});

test('other keys are left alone, and the keyboard stays within what can be chosen', () => {
  expect(moveFocus(opened, key('Enter'), clock)).toBeNull();
  expect(moveFocus(opened, key('toString'), clock)).toBeNull();
  expect(moveFocus(opened, key('ArrowUp'), clock)).toEqual(opened);
  const last = { ...opened, month: '2028-01', focus: '2028-01-05' };
  expect(moveFocus(last, key('PageDown', true), clock)).toEqual(last);
});

test('a job with a time is moved to tomorrow or to next Monday in one press each', () => {
  expect(shortcutsFrom('2026-01-08T22:30:00Z', clock)).toEqual([
    { label: 'Tomorrow, same time', at: '2026-01-05T22:30:00.000Z' },
    { label: 'Next Monday', at: '2026-01-11T22:30:00.000Z' },
  ]);
  // Across the end of daylight saving it is the same time on the clock.
  const autumn = { ...clock, now: new Date('2026-04-04T01:00:00Z') };
  expect(shortcutsFrom('2026-04-02T22:30:00Z', autumn).map(({ at }) => at)).toEqual([
    ...['2026-04-04T23:30:00.000Z', '2026-04-05T23:30:00.000Z'],
  ]);
  expect(shortcutsFrom('2026-01-08T22:17:00Z', clock)).toEqual([]);
});

test('a job without a time is put on today or tomorrow, and late in the evening on tomorrow alone', () => {
  expect(nearDays(clock)).toEqual([
    { label: 'Today', day: '2026-01-05' },
    { label: 'Tomorrow', day: '2026-01-06' },
  ]);
  const evening = { ...clock, now: new Date('2026-01-05T09:00:00Z') };
  expect(nearDays(evening)).toEqual([{ label: 'Tomorrow', day: '2026-01-06' }]);
});

test('what is on the schedule up to today can go to tomorrow at once, and what is later cannot', () => {
  const to = { label: 'Tomorrow, same time', at: '2026-01-05T22:30:00.000Z' };
  expect(tomorrowFrom('2026-01-04T22:30:00Z', clock)).toEqual(to);
  expect(tomorrowFrom('2025-12-20T22:30:00Z', clock)).toEqual(to);
  expect(tomorrowFrom('2026-01-05T22:30:00Z', clock)).toBeNull();
  expect(tomorrowFrom('2026-01-04T22:17:00Z', clock)).toBeNull();
});

test('what is overdue opens on tomorrow, same time; a time to come on itself', () => {
  expect(openForJob('2026-01-01T22:30:00Z', clock)).toMatchObject({ day: '2026-01-06', slot: '09:30' });
  expect(openForJob('2026-02-05T22:30:00Z', clock)).toMatchObject({ day: '2026-02-06', slot: '09:30' });
  expect(openForJob(null, clock)).toEqual(opened);
  expect(openForJob(null, clock, { begun: { day: null, slot: '09:30' } })).toEqual({
    ...opened,
    slot: '09:30',
  });
});

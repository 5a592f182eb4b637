import { describe, expect, test } from 'vitest';
import { aJobForm } from './job-form.fixture.ts';
import {
  addressProblem,
  bodyOf,
  emptyJobForm,
  filledIn,
  isComplete,
  scheduleProblem,
  stillNeeded,
  stillOpen,
} from './job-form.ts';

const typed = { text: '14 Blyth', chosen: null };

test('the button waits for a name, an email, a phone and a chosen address, and for nothing else', () => {
  expect(isComplete(aJobForm({ title: '', notes: '' }))).toBe(true);
  expect(isComplete(emptyJobForm)).toBe(false);
  const lacking = [{ name: ' ' }, { email: 'priya@' }, { phone: '03 9999 9999' }, { address: typed }];
  for (const lack of lacking) expect(isComplete(aJobForm(lack))).toBe(false);
  expect(isComplete(aJobForm({ phone: '021 123 45678' }))).toBe(true);
});

test('names what is missing', () => {
  expect(stillNeeded(emptyJobForm)).toBe(
    'Still needed: a full name, an email address, a phone number and an address from the list',
  );
  expect(stillNeeded(aJobForm({ address: typed }))).toBe('Still needed: an address from the list');
  expect(stillNeeded(aJobForm({ email: 'priya@', phone: '0491' }))).toBe(
    'Still needed: a complete email address and a complete mobile number',
  );
  expect(stillNeeded(aJobForm())).toBe('');
});

test('an address counts once it was chosen', () => {
  expect(addressProblem({ text: '', chosen: null })).toBe('Job address is required');
  expect(addressProblem(typed)).toBe('Choose an address from the list');
  expect(addressProblem(aJobForm().address)).toBeUndefined();
});

describe('the schedule', () => {
  const clock = { timeZone: 'Australia/Melbourne', now: new Date('2026-01-05T01:10:00Z') };
  const tuesday = { day: '2026-01-06', slot: '09:30' };

  test.each([
    [{ day: null, slot: null }, undefined],
    [tuesday, undefined],
    [{ ...tuesday, slot: null }, 'Choose a time as well, or clear the day'],
    [{ ...tuesday, day: null }, 'Choose a day as well, or clear the time'],
    [{ day: '2026-01-05', slot: '09:30' }, 'Choose a time from now on'],
  ])('%j: %s', (schedule, problem) => {
    expect(scheduleProblem(schedule, clock)).toBe(problem);
  });

  test('comes back without what has gone by', () => {
    expect(stillOpen(tuesday, clock)).toEqual(tuesday);
    expect(stillOpen({ day: '2026-01-04', slot: '09:30' }, clock)).toEqual({ day: null, slot: null });
    expect(stillOpen({ day: '2026-01-05', slot: '09:30' }, clock)).toEqual({ day: '2026-01-05', slot: null });
  });

  test('is an instant in the body, beside the chosen address and where it is', () => {
    const { address, schedule: _, ...rest } = aJobForm();
    const body = { ...rest, ...address.chosen, scheduledAt: '2026-01-05T22:30:00.000Z' };
    expect(bodyOf(aJobForm({ schedule: tuesday }), clock.timeZone)).toEqual(body);
    expect(bodyOf(emptyJobForm, clock.timeZone)).toMatchObject({
      ...{ address: '', placeId: null, lat: null, lng: null, scheduledAt: null },
    });
  });
});

test('a link fills in what is empty, and leaves what was typed and what is no day or time', () => {
  const draft = { ...emptyJobForm, name: 'Priya' };
  const fragment = '#name=Sal&phone=0491+570+159&address=12+Smith+St&day=2026-11-21&slot=14:00&other=x';
  expect(filledIn(draft, fragment)).toEqual({
    ...emptyJobForm,
    ...{ name: 'Priya', phone: '0491 570 159', address: { text: '12 Smith St', chosen: null } },
    schedule: { day: '2026-11-21', slot: '14:00' },
  });
  expect(filledIn(draft, '#day=soon&slot=3')).toEqual(draft);
  expect(filledIn(draft, '')).toEqual(draft);
});

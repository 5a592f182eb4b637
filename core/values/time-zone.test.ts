import { expect, test } from 'vitest';
import { defaultTimeZones } from './region.ts';
import { isTimeZone } from './time-zone.ts';

test.each([
  ...Object.values(defaultTimeZones),
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'America/Argentina/Salta',
])('%s is a zone', (text) => {
  expect(isTimeZone(text)).toBe(true);
});

test.each([
  '',
  'AEST',
  'UTC',
  '+10:00',
  'Australia/Nowhere',
  "Australia/Melbourne'; drop table",
  'Etc/../passwd',
])('%j is none', (text) => {
  expect(isTimeZone(text)).toBe(false);
});

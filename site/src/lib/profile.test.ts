import { expect, test } from 'vitest';
import { initials } from './profile.ts';

test.each([
  ['Dave', 'Nguyen', 'DN'],
  ['aroha', 'tāwhiri', 'AT'],
  ['Élodie', 'Ōtara', 'ÉŌ'],
  [' Mere ', '', 'M'],
  ['', '', ''],
  ['𝒟ave', 'Nguyen', '𝒟N'],
])('%s %s → %s', (firstName, lastName, expected) => {
  expect(initials(firstName, lastName)).toBe(expected);
});

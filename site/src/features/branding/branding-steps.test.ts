import { expect, test } from 'vitest';
import { destination, firstStep, reviewsDestination } from './branding-steps.ts';

test('plus and pro begin with the logo, starter with the colours', () => {
  expect((['starter', 'plus', 'pro'] as const).map(firstStep)).toEqual(['theme', 'logo', 'logo']);
});

test('plus and pro go by the reviews while they are being set up, everybody else to the profile', () => {
  expect(destination({ type: 'plus', onboarding: true })).toBe('/profile/reviews');
  expect(destination({ type: 'pro', onboarding: true })).toBe('/profile/reviews');
  expect(destination({ type: 'pro', onboarding: false })).toBe('/profile');
  expect(destination({ type: 'starter', onboarding: true })).toBe('/profile');
});

test('the reviews lead starters on to their form while they are being set up, everybody else home', () => {
  expect(reviewsDestination({ type: 'starter', onboarding: true })).toBe('/profile/form');
  expect(reviewsDestination({ type: 'starter', onboarding: false })).toBe('/');
  expect(reviewsDestination({ type: 'plus', onboarding: true })).toBe('/');
});

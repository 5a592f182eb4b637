import { expect, test } from 'vitest';
import { activeSection, isChatbot } from './sections.ts';

test.each(['/', '/jobs', '/jobs/all', '/jobs/details/0192'])('Jobs is active on %s', (path) => {
  expect(activeSection(path)).toBe('jobs');
});

test.each(['/profile', '/profile/brand', '/profile/intro'])('Profile is active on %s', (path) => {
  expect(activeSection(path)).toBe('profile');
});

test.each(['/login', '/chatbot', '/jobsite', '/profiles', '/t/jobs'])('neither is active on %s', (path) => {
  expect(activeSection(path)).toBeNull();
});

test('the mascot stands in for the avatar on the chatbot page alone', () => {
  expect(isChatbot('/chatbot')).toBe(true);
  expect(isChatbot('/')).toBe(false);
});

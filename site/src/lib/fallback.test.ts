import { expect, test } from 'vitest';
import { hashOf, routeOf } from './fallback.ts';

test.each([
  ['/', '/'],
  ['/jobs/all', '/jobs/all'],
  ['/jobs/details/0192f3', '/jobs/details/:id'],
  ['/t/acme-plumbing', '/t/:id'],
  ['/t/acme-plumbing/sent', '/t/:id/sent'],
  ['/nope/Aroha%20Tāwhiri', '/nope/Aroha_20T_whiri'],
  ['/answer/k3yOfAnAnswer', '/answer/:id'],
  ['/not-needed/k3yOfANote', '/not-needed/:id'],
  ['/unsubscribe/k3yOfAMail', '/unsubscribe/:id'],
  ['/welcome/k3yOfAGuest', '/welcome/:id'],
  ['/your-details/k3yOfACustomer', '/your-details/:id'],
  ['/dev/outbox/42', '/dev/outbox/:id'],
])('the route of %s is %s', (path, route) => {
  expect(routeOf(path)).toBe(route);
});

test('equal stacks have equal hashes, and nothing of their text', () => {
  expect(hashOf('Error: boom')).toBe(hashOf('Error: boom'));
  expect(hashOf('Error: boom')).not.toBe(hashOf('Error: bang'));
  expect(hashOf('')).toBe('cbf29ce484222325');
  expect(hashOf('Dave 0491 570 156')).toMatch(/^[0-9a-f]{16}$/);
});

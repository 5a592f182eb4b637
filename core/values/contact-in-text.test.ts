import { expect, test } from 'vitest';
import { withoutContact } from './contact-in-text.ts';

const hidden = '(contact hidden)';

test.each([
  ['Ring 0491 570 156 after 5', `Ring ${hidden} after 5`],
  ['0491570156', hidden],
  ['+61 (491) 570-156.', `${hidden}.`],
  ['Tap leaks, aroha.t@example.com', `Tap leaks, ${hidden}`],
  ['<aroha@example.com> or 03 9123 4567', `<${hidden}> or ${hidden}`],
])('%s hides how the customer is reached', (text, shown) => {
  expect(withoutContact(text)).toBe(shown);
});

test.each([
  '12 m of pipe, 15 mm',
  'Between 9:30 and 11',
  'Tue 1 Dec 2026',
  '2026-12-01 09:30',
  '2 bedrooms @ ground floor',
  '',
])('%s stays as it is', (text) => {
  expect(withoutContact(text)).toBe(text);
});

test('a long text of digits and gaps is read in time', () => {
  const started = performance.now();
  withoutContact('1   '.repeat(50_000));
  withoutContact('a@'.repeat(50_000));
  withoutContact('a'.repeat(100_000));
  expect(performance.now() - started).toBeLessThan(1_000);
});

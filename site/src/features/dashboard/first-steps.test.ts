import { expect, test } from 'vitest';
import { firstSteps } from './FirstSteps.tsx';

const plain = { slug: 'acme', logo: null, theme: '#6B8FE4' } as const;
const noted = { isShared: false, hasLook: false };

test('the form is live with its address, the look is there with a logo or a colour of its own', () => {
  expect(firstSteps(plain, noted)).toEqual({ form: true, share: false, look: false });
  expect(firstSteps({ ...plain, slug: null }, noted).form).toBe(false);
  expect(firstSteps({ ...plain, logo: '/logos/a' }, noted).look).toBe(true);
  expect(firstSteps({ ...plain, theme: '#C21313' }, noted).look).toBe(true);
});

test('what was done in this browser counts, though nothing looks different', () => {
  expect(firstSteps(plain, { ...noted, isShared: true, hasLook: true })).toEqual({
    form: true,
    share: true,
    look: true,
  });
});

import { expect, test } from 'vitest';
import { aRegistration } from './registration.fixture.ts';
import { rebased } from './registration-store.ts';

const verified = {
  ...aRegistration.verify,
  ...{ email: 'dave@acme.example', emailVerified: true, phone: '+61412345678', phoneVerified: true },
};

test('what was typed comes along, what another tab has changed since stays', () => {
  const typed = { ...aRegistration, user: { firstName: 'Dave', lastName: '' } };
  const served = { ...aRegistration, step: 3, trades: ['plumbing'], specialties: ['plumbing-leaks'] };
  expect(rebased(served, { base: aRegistration, typed })).toEqual({
    ...served,
    user: { firstName: 'Dave', lastName: '' },
  });
});

test('that the mobile is to be on the public page comes along, with another mobile too', () => {
  const typed = { ...aRegistration, verify: { ...verified, phone: '0412 345 679', showPhone: true } };
  const served = { ...aRegistration, verify: verified };
  expect(rebased(served, { base: aRegistration, typed }).verify).toMatchObject({ showPhone: true });
  expect(rebased(typed, { base: served, typed: served }).verify).toMatchObject({ showPhone: true });
});

test('what is proved stays proved for the same mobile in another spelling, and for no other', () => {
  const served = { ...aRegistration, verify: verified };
  const phoned = (phone: string) => ({ ...aRegistration, verify: { ...aRegistration.verify, phone } });
  const after = (phone: string) => rebased(served, { base: aRegistration, typed: phoned(phone) }).verify;
  expect(after('0412 345 678')).toMatchObject({ phone: '0412 345 678', phoneVerified: true });
  expect(after('0412 345 679').phoneVerified).toBe(false);
  expect(after('0412')).toMatchObject({ phone: '0412', phoneVerified: false, emailVerified: true });
});

test('nothing that a draft claims of itself is believed', () => {
  const typed = { ...aRegistration, verify: { ...verified, passwordSet: true } };
  expect(rebased(aRegistration, { base: aRegistration, typed }).verify).toMatchObject({
    ...{ emailVerified: false, phoneVerified: false, passwordSet: false },
  });
});

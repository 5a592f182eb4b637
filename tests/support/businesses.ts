import type { BusinessRegistration } from '#api/registration/open-business.ts';

let count = 0;

/** A business that can be registered, with email, mobile and slug that no other of this process has. */
export function aBusiness(overrides: Partial<BusinessRegistration> = {}): BusinessRegistration {
  count += 1;
  const number = String(count).padStart(5, '0');
  return {
    email: `owner${number}@acme.example`,
    phone: `+61412${number}0`,
    password: 'Spanner#Wrench42',
    firstName: 'Dave',
    lastName: 'Citizen',
    region: 'au',
    plan: 'starter',
    bn: '51824753556',
    name: 'Acme Plumbing Pty Ltd',
    tradingName: 'Acme Plumbing',
    tagline: 'Plumbers, Brunswick VIC',
    timeZone: 'Australia/Melbourne',
    coverage: { lat: -37.7667, lng: 144.9597, radius: 15_000 },
    slug: `acme-${number}`,
    theme: '#6B8FE4',
    logo: null,
    intro: 'Blocked drains, hot water and leaking taps.',
    trades: ['plumbing'],
    ...overrides,
  };
}

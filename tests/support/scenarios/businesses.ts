import { type SeededBusiness, seedBusiness } from '#api/cli/seed/seed-business.ts';
import type { RegistrationDeps } from '#api/registration/load-registration.ts';

let count = 0;

/** Where a business is, and its number there. */
const places = {
  au: { bn: '51824753556', coverage: { lat: -37.7667, lng: 144.9597, radius: 15_000 } },
  nz: { bn: '9429000035170', coverage: { lat: -36.8485, lng: 174.7633, radius: 15_000 } },
};

/** A business that can be registered, with email, mobile and slug that no other of this process has. */
export function aBusiness(overrides: Partial<SeededBusiness> = {}): SeededBusiness {
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
    ...places[overrides.region ?? 'au'],
    name: 'Acme Plumbing Pty Ltd',
    tradingName: 'Acme Plumbing',
    slug: `acme-${number}`,
    theme: '#6B8FE4',
    intro: 'Blocked drains, hot water and leaking taps.',
    trades: ['plumbing'],
    ...overrides,
  };
}

export type Owner = Readonly<{ accountId: string; businessId: string; email: string }>;

/** Opens businesses for tests that sign in as none of their owners: without the work of a password's hash. */
export async function openOwners(
  deps: RegistrationDeps,
  amount: number,
  { newsletter = true }: Readonly<{ newsletter?: boolean }> = {},
): Promise<Owner[]> {
  const owners: Owner[] = [];
  for (let n = 0; n < amount; n += 1) {
    const business = aBusiness({ newsletter });
    const cause = { commandId: crypto.randomUUID(), actor: 'seed', correlation: 'test' };
    const { accountId, businessId } = await seedBusiness(
      deps,
      business,
      cause,
      async () => 'matches no password',
    );
    owners.push({ accountId, businessId, email: business.email });
  }
  return owners;
}

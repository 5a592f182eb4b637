import { seedBusiness } from '#api/cli/seed/seed-business.ts';
import type { RegistrationDeps } from '#api/registration/load-registration.ts';
import { aBusiness } from './businesses.ts';

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

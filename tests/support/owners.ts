import { type OpeningDeps, openAccount } from '#api/registration/open-business.ts';
import { aBusiness } from './businesses.ts';

export type Owner = Readonly<{ accountId: string; businessId: string; email: string }>;

type Opening = Readonly<{
  newsletter?: boolean;
  /** Without it the owner cannot sign in. */
  hasPassword?: boolean;
}>;

/** Opens businesses for tests that sign in as none of their owners: without the work of a password's hash. */
export async function openOwners(
  deps: OpeningDeps,
  amount: number,
  { newsletter = true, hasPassword = true }: Opening = {},
): Promise<Owner[]> {
  const owners: Owner[] = [];
  for (let n = 0; n < amount; n += 1) {
    const ids = { accountId: crypto.randomUUID(), businessId: crypto.randomUUID() };
    const input = { ...aBusiness(), newsletter };
    const at = deps.now().toISOString();
    const cause = { commandId: crypto.randomUUID(), actor: 'seed', correlation: 'test', at };
    const passwordHash = async () => (hasPassword ? 'matches no password' : null);
    await openAccount(deps, ids, input, { cause, passwordHash });
    owners.push({ ...ids, email: input.email });
  }
  return owners;
}

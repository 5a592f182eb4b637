import { createCredential } from '#api/authenticate/credentials.ts';
import type { Deps } from '#api/deps.ts';
import { openBusiness } from '#api/registration/open-business.ts';
import { aBusiness } from './businesses.ts';

export type Owner = Readonly<{ accountId: string; businessId: string; email: string }>;

type Opening = Readonly<{
  newsletter?: boolean;
  /** Without it nobody can sign in. */
  hasPassword?: boolean;
}>;

/** Opens businesses whose owners nobody signs in as: without the work of a password's hash. */
export async function openOwners(
  deps: Pick<Deps, 'db' | 'store' | 'now'>,
  amount: number,
  { newsletter = true, hasPassword = true }: Opening = {},
): Promise<Owner[]> {
  const owners: Owner[] = [];
  for (let n = 0; n < amount; n += 1) {
    const ids = { accountId: crypto.randomUUID(), businessId: crypto.randomUUID() };
    const input = { ...aBusiness(), newsletter };
    const at = deps.now().toISOString();
    const cause = { commandId: crypto.randomUUID(), actor: 'seed', correlation: 'test', at };
    if (hasPassword) await createCredential(deps.db, { ...ids, hash: 'nobody signs in' }, deps.now());
    await openBusiness(deps, ids, input, cause);
    owners.push({ ...ids, email: input.email });
  }
  return owners;
}

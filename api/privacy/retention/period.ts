import { loadBusiness } from '#api/accounts/load-account.ts';
import { changeBusiness } from '#api/businesses/change-business.ts';
import type { Deps } from '#api/deps.ts';
import type { Session } from '#api/http/request-context.ts';
import { NotFoundError } from '#core/kernel/errors.ts';

/** How many years a business stores customers' details, from its own stream. Throws NotFoundError where there is none. */
export async function retentionPeriodOf(deps: Pick<Deps, 'store'>, { businessId }: Session): Promise<number> {
  const business = await loadBusiness(deps, businessId);
  if (!business) throw new NotFoundError('Business not found');
  return business.retentionYears;
}

/** Chooses for how many years; answers them. Throws what the decider of a business throws. */
export async function changeRetentionPeriod(
  deps: Pick<Deps, 'store' | 'now' | 'newId'>,
  session: Session,
  years: number,
  correlation: string,
): Promise<number> {
  const at = deps.now().toISOString();
  const data = { businessId: session.businessId, years };
  const command = { type: 'ChangeRetentionPeriod', at, data } as const;
  const { business } = await changeBusiness(deps, session, [command], { at, correlation });
  return business.retentionYears;
}

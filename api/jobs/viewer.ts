import type { Deps } from '#api/deps.ts';
import type { Session } from '#api/http/request-context.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { getProfile } from '#projections/accounts/read.ts';

/** Whose jobs, and when "today" is: `timeZone` is the business's IANA zone. */
export type Viewer = Readonly<{ businessId: string; timeZone: string; now: Date }>;

export async function viewer(deps: Deps, { accountId, businessId }: Session): Promise<Viewer> {
  const profile = await getProfile(deps.db, accountId);
  if (!profile) throw new NotFoundError('Account not found');
  return { businessId, timeZone: profile.timeZone, now: deps.now() };
}

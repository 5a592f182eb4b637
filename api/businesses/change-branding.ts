import { loadBusiness } from '#api/accounts/load-business.ts';
import { logoBytes, storeLogo } from '#api/businesses/files/logo.ts';
import type { Deps } from '#api/deps.ts';
import type { Session } from '#api/http/request-context.ts';
import type { BusinessCommand } from '#core/business/commands.ts';
import { businessDecider } from '#core/business/decider.ts';
import { batchDecider } from '#core/kernel/decider.ts';
import { ConflictError, NotFoundError } from '#core/kernel/errors.ts';
import type { ThemeColour } from '#core/values/business.ts';
import { planRules } from '#core/values/product.ts';
import { normaliseSlug } from '#core/values/slug.ts';
import { assertFree, holdAddress, keepAddress } from './addresses.ts';
import { type ChangedBusiness, changeBusiness } from './change-business.ts';
import { keepLogo } from './files/stored-files.ts';

/** `logo` is a data URL, null for none; what is left out stays as it is. `slug` as it was typed. */
export type BrandingChange = Readonly<{ slug?: string; theme?: ThemeColour; logo?: string | null }>;

/**
 * Gives the tradie's business another public address, colour or logo. Everything that can be refused is, before a file is
 * stored or an address taken: the plan, the values, the address that is another's, the picture.
 */
export async function changeBranding(
  deps: Pick<Deps, 'config' | 'db' | 'files' | 'store' | 'now' | 'newId'>,
  session: Session,
  change: BrandingChange,
  correlation: string,
): Promise<ChangedBusiness> {
  const { businessId } = session;
  const at = deps.now().toISOString();
  const before = await loadBusiness(deps, businessId);
  if (before === null) throw new NotFoundError('Business not found');
  const { slug, theme, logo } = change;
  const isNewLogo = typeof logo === 'string';
  if (isNewLogo && !planRules[before.plan].logo) throw new ConflictError('Your plan does not include a logo');
  const address = slug === undefined ? null : normaliseSlug(slug);
  const isNewAddress = address !== null && address !== before.slug;
  const commands: BusinessCommand[] = [
    ...(address === null
      ? []
      : [{ type: 'ChangePublicAddress', at, data: { businessId, slug: address } } as const]),
    ...(theme === undefined ? [] : [{ type: 'ChangeTheme', at, data: { businessId, theme } } as const]),
    ...(logo === null ? [{ type: 'ChangeLogo', at, data: { businessId, logo } } as const] : []),
  ];
  batchDecider(businessDecider).decide({ type: 'Batch', at, data: { commands } }, before);
  const bytes = isNewLogo ? logoBytes(logo) : null;
  if (isNewAddress) await assertFree(deps, session.accountId, address);
  const stored = bytes && (await storeLogo(deps, businessId, bytes));
  if (isNewAddress) await holdAddress(deps, session.accountId, address);
  if (stored) commands.push({ type: 'ChangeLogo', at, data: { businessId, logo: stored } });
  const changed = await changeBusiness(deps, session, commands, { at, correlation });
  if (slug !== undefined) await keepAddress(deps, session);
  if (logo !== undefined) await keepLogo(deps.db, businessId, changed.business.logo, deps.now());
  return changed;
}

import type { Deps } from '#api/deps.ts';
import { logoBytes, storeLogo } from '#api/files/logo.ts';
import { keepLogo } from '#api/files/stored-files.ts';
import type { Session } from '#api/http/request-context.ts';
import type { BrandBusiness } from '#core/business/commands.ts';
import { businessDecider } from '#core/business/decider.ts';
import type { BusinessState } from '#core/business/state.ts';
import { ConflictError, NotFoundError } from '#core/kernel/errors.ts';
import { planRules } from '#core/values/plan-rules.ts';
import { normaliseSlug } from '#core/values/slug.ts';
import type { ThemeColour } from '#core/values/theme-colour.ts';
import { assertFree, holdAddress, keepAddress } from './addresses.ts';
import { type ChangedBusiness, changeBusiness } from './change-business.ts';
import { loadBusiness } from './load-business.ts';

/** `logo` is a data URL, null for none; what is left out stays as it is. `slug` as it was typed. */
export type BrandingChange = Readonly<{ slug?: string; theme?: ThemeColour; logo?: string | null }>;

/**
 * Gives the tradie's business another public address, colour or logo. Everything that can be refused is, before a file is
 * kept or an address taken: the plan, the values, the address that is another's, the picture.
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
  const command: BrandBusiness = {
    type: 'BrandBusiness',
    at,
    data: {
      businessId,
      ...(slug === undefined ? {} : { slug: normaliseSlug(slug) }),
      ...(theme === undefined ? {} : { theme }),
      ...(logo === null ? { logo } : {}),
    },
  };
  businessDecider.decide(command, before);
  const bytes = isNewLogo ? logoBytes(logo) : null;
  const address = newAddress(command, before);
  if (address !== null) await assertFree(deps, session.accountId, address);
  const stored = bytes && (await storeLogo(deps, businessId, bytes));
  if (address !== null) await holdAddress(deps, session.accountId, address);
  const branded = stored ? { ...command, data: { ...command.data, logo: stored } } : command;
  const changed = await changeBusiness(deps, session, [branded], { at, correlation });
  const { branding } = changed.business;
  if (slug !== undefined) await keepAddress(deps, session);
  if (logo !== undefined) await keepLogo(deps.db, businessId, branding?.logo ?? null, deps.now());
  return changed;
}

function newAddress({ data: { slug } }: BrandBusiness, before: BusinessState): string | null {
  return slug === undefined || slug === before?.branding?.slug ? null : slug;
}

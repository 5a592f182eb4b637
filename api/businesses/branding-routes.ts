import { type } from 'arktype';
import { Elysia } from 'elysia';
import { loadBusiness } from '#api/accounts/load-account.ts';
import type { Deps } from '#api/deps.ts';
import { auth, createAuthenticator } from '#api/http/auth.ts';
import type { BodyGate } from '#api/http/edge.ts';
import { ok, sessionTimedOut } from '#api/http/errors.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { contextOf, type Session } from '#api/http/request-context.ts';
import { textParameter } from '#api/http/validation.ts';
import type { BusinessCommand } from '#core/business/commands.ts';
import { businessDecider } from '#core/business/decider.ts';
import type { BusinessState } from '#core/business/state.ts';
import { batchDecider } from '#core/kernel/decider.ts';
import { ConflictError, NotFoundError } from '#core/kernel/errors.ts';
import { type ThemeColour, themeColours } from '#core/values/business.ts';
import { planRules } from '#core/values/product.ts';
import { normaliseSlug } from '#core/values/slug.ts';
import { logoPath } from '#core/values/uploads.ts';
import { assertFree, checkAddress, holdAddress, keepAddress } from './addresses.ts';
import {
  awaitReadModels,
  BUSINESS_READ_MODELS,
  type ChangedBusiness,
  changeBusiness,
} from './change-business.ts';
import { logoBytes, storeLogo } from './files/logo.ts';
import { keepLogo } from './files/stored-files.ts';

const Branding = type({
  '+': 'reject',
  'slug?': 'string <= 200',
  'theme?': type.enumerated(...themeColours).configure({ message: 'Choose one of the colours' }),
  'logo?': 'string | null',
});

/** A picture costs a process for a moment, an address is looked up while it is typed. */
const CHANGES = { name: 'branding-business', points: 30, seconds: 600 };
const CHECKS = { name: 'slug-account', points: 120, seconds: 600 };

const WantedAddress = type({
  q: textParameter('The public address that is wanted', 'pipes-and-sons').default(''),
});

/**
 * PUT /settings/branding { slug, theme, logo } → { details: { slug, theme, logo } }; `logo` comes as a data URL and is answered
 * as the path of the picture · GET /settings/branding/slug?q → { available, slug, title, message }: not another's, nor left by another within 180 days;
 * `title` and `message` only where it is not available.
 */
export function brandingRoutes(deps: Deps) {
  const checks = sharedLimiter(deps, CHECKS);
  return new Elysia({ name: 'branding', prefix: '/settings/branding' })
    .use(auth(deps))
    .put(
      '/',
      async ({ session, body, request, set }) => {
        const { business, position } = await changeBranding(deps, session, body, contextOf(request).id);
        await awaitReadModels(deps, BUSINESS_READ_MODELS, position, set);
        return ok({ details: detailsOf(business) });
      },
      { signedIn: true, body: Branding },
    )
    .get(
      '/slug',
      async ({ session, query }) => {
        await checks.consume(session.accountId);
        return ok(await checkAddress(deps, session.accountId, query.q.slice(0, 200)));
      },
      { signedIn: true, query: WantedAddress },
    );
}

/** PUT /settings/branding takes a logo: its session and the limit of its business come before the body. */
export function brandingGate(deps: Deps): BodyGate {
  const authenticate = createAuthenticator(deps);
  const changes = sharedLimiter(deps, CHANGES);
  return {
    method: 'PUT',
    path: /^\/api\/settings\/branding\/?$/,
    async validate(request) {
      const session = await authenticate(request.headers);
      if (!session) throw sessionTimedOut();
      await changes.consume(session.businessId);
      contextOf(request).session = session;
    },
  };
}

function detailsOf({ slug, theme, logo }: NonNullable<BusinessState>) {
  return { slug, theme, logo: logoPath(logo) };
}

/** `logo` is a data URL, null for none; what is left out stays as it is. `slug` as it was typed. */
type BrandingChange = Readonly<{ slug?: string; theme?: ThemeColour; logo?: string | null }>;

/**
 * Gives the tradie's business another public address, colour or logo. Everything that can be refused is, before a file is
 * stored or an address taken: the plan, the values, the address that is another's, the picture.
 */
async function changeBranding(
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

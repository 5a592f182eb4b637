import { type } from 'arktype';
import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { ok, sessionTimedOut } from '#api/http/answers.ts';
import { auth, createAuthenticator } from '#api/http/auth.ts';
import type { BodyGate } from '#api/http/edge.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { operation } from '#api/http/openapi/operation.ts';
import { contextOf, turnOf } from '#api/http/request-context.ts';
import { textParameter } from '#api/http/validation.ts';
import type { BusinessState } from '#core/business/state.ts';
import { themeColours } from '#core/values/theme-colours.ts';
import { logoPath } from '#core/values/uploads.ts';
import { checkAddress } from './addresses.ts';
import { changeBranding } from './change-branding.ts';
import { awaitReadModels, BUSINESS_READ_MODELS } from './change-business.ts';

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
        const { business, position } = await changeBranding(deps, session, body, {
          ...{ correlation: contextOf(request).id, turn: turnOf(deps, request) },
        });
        await awaitReadModels(deps, BUSINESS_READ_MODELS, position, set);
        return ok({ details: detailsOf(business) });
      },
      {
        signedIn: true,
        body: Branding,
        detail: operation('Business', 'changeBranding', 'Changes public address, colour and logo'),
      },
    )
    .get(
      '/slug',
      async ({ session, query }) => {
        await checks.consume(session.accountId);
        return ok(await checkAddress(deps, session.accountId, query.q.slice(0, 200)));
      },
      {
        signedIn: true,
        query: WantedAddress,
        detail: operation('Business', 'checkPublicAddress', 'Whether a public address is free'),
      },
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

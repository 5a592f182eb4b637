import { type } from 'arktype';
import { Elysia } from 'elysia';
import { businessLookup, companyNotFound } from '#api/businesses/business-lookup.ts';
import type { Deps } from '#api/deps.ts';
import { HttpError, ok } from '#api/http/answers.ts';
import { operation } from '#api/http/openapi/operation.ts';
import { textParameter } from '#api/http/validation.ts';
import { configuredPostcodes, isPostcode } from '#api/providers/postcodes/postcodes.ts';
import { isRegion, regions } from '#core/values/region.ts';
import { defaultLocation } from '#core/values/registration-steps.ts';
import { trades } from '#core/values/trade-catalogue.ts';
import { lookupAccess } from './lookup-access.ts';
import { BusinessBody } from './request-bodies.ts';

/** The trades as they are offered; what their people are called is for the public page. */
const offered = trades.map(({ id, name, specialties }) => ({ id, name, specialties }));

const Region = type
  .enumerated(...regions, '')
  .configure({ message: 'Choose Australia or New Zealand' })
  .pipe((region) => (isRegion(region) ? region : 'au'))
  .describe('The country')
  .default('au');
const BusinessQuery = type({
  q: textParameter('A name or a number', 'Pipes and Sons').default(''),
  r: Region,
});
const PostcodeQuery = type({
  postcode: textParameter('Four digits', '2000')
    .narrow(
      (text, ctx) => isPostcode(text.trim()) || ctx.reject({ message: 'Enter a postcode of four digits' }),
    )
    .pipe((text) => text.trim()),
  region: Region,
});

/**
 * GET /registration/trades → { trades } · GET /registration/bn?r,q → { entities } · POST /registration/bn { bn, r } →
 * { entity } · GET /registration/postcode?postcode,region → { location }. The last three for who registers or is signed in.
 */
export function lookupRoutes(deps: Deps) {
  const authorize = lookupAccess(deps);
  const businesses = businessLookup(deps);
  const postcodes = configuredPostcodes(deps.config.postcodesFile);

  return new Elysia({ name: 'registration-lookups', prefix: '/registration' })
    .get('/trades', () => ok({ trades: offered }), {
      detail: operation('Registration', 'listTrades', 'Every trade', { access: 'open' }),
    })
    .get('/bn', async ({ query }) => ok({ entities: await businesses.search(query.q, query.r) }), {
      transform: ({ request }) => authorize(request),
      query: BusinessQuery,
      detail: operation('Registration', 'findBusinessNumbers', 'Businesses by name or number', {
        access: 'registration or session',
      }),
    })
    .post(
      '/bn',
      async ({ body, request }) => {
        await authorize(request);
        const entity = await businesses.find(body.bn, body.r ?? 'au', 'bn');
        if (!entity) throw new HttpError('not-found', companyNotFound);
        return ok({ entity });
      },
      {
        body: BusinessBody,
        detail: operation('Registration', 'chooseBusinessNumber', 'A business by its number', {
          access: 'registration or session',
          conflicts: false,
          statuses: [404],
        }),
      },
    )
    .get(
      '/postcode',
      async ({ query: { postcode, region } }) => {
        const found = await postcodes.find(postcode, region);
        if (!found) throw new HttpError('not-found', "We couldn't find address for this company");
        const { radius, zoom } = defaultLocation;
        return ok({ location: { ...found, radius, zoom } });
      },
      {
        transform: ({ request }) => authorize(request),
        query: PostcodeQuery,
        detail: operation('Registration', 'getArea', 'The area of a postcode', {
          access: 'registration or session',
          statuses: [404],
        }),
      },
    );
}

import { type } from 'arktype';
import { Elysia } from 'elysia';
import { presentProfile, profileOf } from '#api/accounts/profile.ts';
import type { Deps } from '#api/deps.ts';
import { ok } from '#api/http/answers.ts';
import { auth } from '#api/http/auth.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { operation } from '#api/http/openapi/operation.ts';
import { contextOf } from '#api/http/request-context.ts';
import { awaitReadModels, BUSINESS_READ_MODELS, type ChangedBusiness } from './change-business.ts';
import { tradesView } from './change-enquiry-form.ts';
import { areaOf, changeArea, changeTimeZone, changeTrades, workAreaOf } from './change-work.ts';
import { isUnset } from './place-of-business.ts';

const Trades = type({ '+': 'reject', trades: type('1 <= string <= 100').array().atMostLength(50) });
const Area = type({ '+': 'reject', lat: 'number', lng: 'number', radius: 'number' });
const Zone = type({ '+': 'reject', timeZone: '1 <= string <= 100' });

const CHANGES = { name: 'work-account', points: 60, seconds: 600 };

/**
 * What a business does, where, and on whose clocks: PUT /settings/trades { trades }, ids → { trades } · GET /settings/area →
 * { area: { lat, lng, radius }, timeZone, zoneThere } · PUT /settings/area { lat, lng, radius } → the same and { user } ·
 * PUT /settings/time-zone { timeZone } → the same and { user }.
 */
export function workRoutes(deps: Deps) {
  const changes = sharedLimiter(deps, CHANGES);
  return new Elysia({ name: 'settings-work', prefix: '/settings' })
    .use(auth(deps))
    .put(
      '/trades',
      async ({ session, body, request, set }) => {
        await changes.consume(session.accountId);
        const changed = await changeTrades(deps, session, body.trades, contextOf(request).id);
        await awaitReadModels(deps, BUSINESS_READ_MODELS, changed.position, set);
        return ok({ trades: tradesView(changed.form) });
      },
      {
        signedIn: true,
        body: Trades,
        detail: operation('Business', 'changeTrades', 'Changes the trades of the business'),
      },
    )
    .get('/area', async ({ session }) => ok(await workAreaOf(deps, session)), {
      signedIn: true,
      detail: operation('Business', 'getWorkArea', 'Where the business works, and its time zone'),
    })
    .put(
      '/area',
      async ({ session, body, request, set }) => {
        await changes.consume(session.accountId);
        const changed = await changeArea(deps, session, body, contextOf(request).id);
        await awaitReadModels(deps, BUSINESS_READ_MODELS, changed.position, set);
        return ok(await after(deps, session.accountId, changed));
      },
      {
        signedIn: true,
        body: Area,
        detail: operation('Business', 'changeWorkArea', 'Changes where the business works'),
      },
    )
    .put(
      '/time-zone',
      async ({ session, body, request, set }) => {
        await changes.consume(session.accountId);
        const changed = await changeTimeZone(deps, session, body.timeZone, contextOf(request).id);
        await awaitReadModels(deps, BUSINESS_READ_MODELS, changed.position, set);
        deps.whereabouts.forget(session.businessId);
        return ok(await after(deps, session.accountId, changed));
      },
      {
        signedIn: true,
        body: Zone,
        detail: operation(
          'Business',
          'changeTimeZone',
          'Changes the zone in which days and times are shown; what is scheduled stays at its instant',
        ),
      },
    );
}

/** As the stream has it that was just written, in case the read model is behind. */
async function after(deps: Deps, accountId: string, { business }: ChangedBusiness) {
  const profile = await profileOf(deps, accountId);
  const { timeZone, coverage } = business;
  const base = isUnset(coverage) ? null : { lat: coverage.lat, lng: coverage.lng };
  return { ...areaOf(business), user: presentProfile({ ...profile, timeZone, base }) };
}

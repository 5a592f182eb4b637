import { type } from 'arktype';
import type {
  BusinessBranded,
  BusinessContactPublished,
  BusinessDetailsChanged,
  BusinessEvent,
  BusinessIntroduced,
  BusinessRegistered,
  PlanChanged,
} from '#core/business/events.ts';
import { plans } from '#core/values/plan.ts';
import { regions } from '#core/values/region.ts';
import { themeColours } from '#core/values/theme-colour.ts';
import {
  ERASED,
  ERASED_AREA,
  type EventVersions,
  id,
  instant,
  type Plain,
  sameShape,
} from './event-version.ts';

const BusinessRegistered1 = type
  .declare<Plain<BusinessRegistered['data']>>()
  .type({
    businessId: id,
    accountId: id,
    region: type.enumerated(...regions),
    plan: type.enumerated(...plans),
    bn: 'string',
    name: 'string',
    tradingName: 'string',
    tagline: 'string',
    timeZone: 'string',
    coverage: { lat: 'number', lng: 'number', radius: 'number' },
    registeredAt: instant,
  })
  .onDeepUndeclaredKey('reject');

const BusinessDetailsChanged1 = type
  .declare<Plain<BusinessDetailsChanged['data']>>()
  .type({
    businessId: id,
    accountId: id,
    bn: 'string',
    name: 'string',
    tradingName: 'string',
    changedAt: instant,
  })
  .onDeepUndeclaredKey('reject');

const PlanChanged1 = type
  .declare<Plain<PlanChanged['data']>>()
  .type({ businessId: id, plan: type.enumerated(...plans), changedAt: instant })
  .onDeepUndeclaredKey('reject');

const BusinessBranded1 = type
  .declare<Plain<BusinessBranded['data']>>()
  .type({
    businessId: id,
    slug: 'string',
    theme: type.enumerated(...themeColours),
    logo: 'string | null',
    brandedAt: instant,
  })
  .onDeepUndeclaredKey('reject');

const BusinessIntroduced1 = type
  .declare<Plain<BusinessIntroduced['data']>>()
  .type({ businessId: id, accountId: id, intro: 'string', introducedAt: instant })
  .onDeepUndeclaredKey('reject');

const BusinessContactPublished1 = type
  .declare<Plain<BusinessContactPublished['data']>>()
  .type({
    businessId: id,
    accountId: id,
    phone: 'string | null',
    email: 'string | null',
    publishedAt: instant,
  })
  .onDeepUndeclaredKey('reject');

const account = (data: { accountId: string }) => `account-${data.accountId}`;

const business = (data: { businessId: string }) => `business-${data.businessId}`;

const registered = { bn: ERASED, name: ERASED, tradingName: ERASED, tagline: ERASED } as const;

/**
 * A business's events. A sole trader's business carries the person's own name and number, its address mostly the name, and
 * the middle of its area is mostly the person's home: they are sealed, with the account where the event names it, else with
 * the business. First versions have the address and the area in the clear.
 */
export const businessEvents = {
  BusinessRegistered: [
    {
      schema: BusinessRegistered1,
      personal: { subject: account, erased: registered },
      upcast: sameShape,
    },
    {
      schema: BusinessRegistered1,
      personal: { subject: account, erased: { ...registered, coverage: ERASED_AREA } },
    },
  ],
  BusinessDetailsChanged: [
    {
      schema: BusinessDetailsChanged1,
      personal: { subject: account, erased: { bn: ERASED, name: ERASED, tradingName: ERASED } },
    },
  ],
  PlanChanged: [{ schema: PlanChanged1 }],
  BusinessBranded: [
    { schema: BusinessBranded1, upcast: sameShape },
    { schema: BusinessBranded1, personal: { subject: business, erased: { slug: ERASED } } },
  ],
  BusinessIntroduced: [
    { schema: BusinessIntroduced1, personal: { subject: account, erased: { intro: ERASED } } },
  ],
  BusinessContactPublished: [
    {
      schema: BusinessContactPublished1,
      personal: { subject: account, erased: { phone: null, email: null } },
    },
  ],
} as const satisfies { [T in BusinessEvent['type']]: EventVersions<Extract<BusinessEvent, { type: T }>> };

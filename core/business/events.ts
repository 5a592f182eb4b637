import { type } from 'arktype';
import { type EventOf, event, eventGuard, id, instant } from '#core/kernel/event.ts';
import { plans } from '#core/values/product.ts';
import { regions } from '#core/values/region.ts';
import { ERASED, ERASED_AREA } from '#core/values/stored-details.ts';
import { themeColours } from '#core/values/theme-colours.ts';

const business = (data: { businessId: string }) => `business-${data.businessId}`;

const coverage = { lat: 'number', lng: 'number', radius: 'number' } as const;

/**
 * A business's events. A sole trader's business carries the person's own name and number, its address mostly the name, and the
 * middle of its area is mostly the person's home: they are sealed under the key of the business, which is destroyed when it is closed.
 */
export const businessEvents = {
  /** A business came to Ute. `timeZone` is IANA; `radius` in metres. */
  BusinessRegistered: event(
    {
      businessId: id,
      accountId: id,
      region: type.enumerated(...regions),
      plan: type.enumerated(...plans),
      bn: 'string',
      name: 'string',
      tradingName: 'string',
      /** What the public page says under the name, for example "Plumbers, Brunswick VIC". */
      tagline: 'string',
      timeZone: 'string',
      coverage,
      registeredAt: instant,
    },
    {
      personal: {
        subject: business,
        erased: {
          ...{ bn: ERASED, name: ERASED, tradingName: ERASED, tagline: ERASED },
          coverage: ERASED_AREA,
        },
      },
    },
  ),

  /** The business goes by another name or number. `name` as the register has it, `tradingName` as customers know it. */
  BusinessDetailsChanged: event(
    {
      businessId: id,
      accountId: id,
      bn: 'string',
      name: 'string',
      tradingName: 'string',
      changedAt: instant,
    },
    { personal: { subject: business, erased: { bn: ERASED, name: ERASED, tradingName: ERASED } } },
  ),

  /** The business works in another area from now on: degrees and metres. Its middle is where the day starts. */
  ServiceAreaChanged: event(
    { businessId: id, accountId: id, coverage, changedAt: instant },
    { personal: { subject: business, erased: { coverage: ERASED_AREA } } },
  ),

  /** The public page says something else under the name, as trades or area are others. */
  TaglineChanged: event(
    { businessId: id, accountId: id, tagline: 'string', changedAt: instant },
    { personal: { subject: business, erased: { tagline: ERASED } } },
  ),

  /** The business's days and times are those of another zone (IANA) from now on. What is scheduled stays at its instant. */
  TimeZoneChanged: event({ businessId: id, timeZone: 'string', changedAt: instant }),

  /** The business is on another plan from now on. */
  PlanChanged: event({ businessId: id, plan: type.enumerated(...plans), changedAt: instant }),

  /** Customers find the business at another public address from now on. */
  PublicAddressChanged: event(
    { businessId: id, slug: 'string', changedAt: instant },
    { personal: { subject: business, erased: { slug: ERASED } } },
  ),

  /** The business wears another colour from now on. */
  ThemeChanged: event({ businessId: id, theme: type.enumerated(...themeColours), changedAt: instant }),

  /** The business shows this logo from now on: a key in the file store. */
  LogoChanged: event({ businessId: id, logo: 'string', changedAt: instant }),

  /** The business shows no logo from now on: its owner wants none, or its new plan, in the event before, includes none. */
  LogoRemoved: event({
    businessId: id,
    reason: type.enumerated('owner', 'plan'),
    removedAt: instant,
  }),

  /** The text under "About us", at most 300 characters. */
  BusinessIntroduced: event(
    { businessId: id, accountId: id, intro: 'string', introducedAt: instant },
    { personal: { subject: business, erased: { intro: ERASED } } },
  ),

  /** Which contact details the public page shows; null hides one. Phone in E.164. */
  BusinessContactPublished: event(
    {
      businessId: id,
      accountId: id,
      phone: 'string | null',
      email: 'string | null',
      publishedAt: instant,
    },
    { personal: { subject: business, erased: { phone: null, email: null } } },
  ),

  /** It is to be closed at `dueAt`, and its public page is offline from now on. */
  BusinessClosurePlanned: event({ businessId: id, erasureId: id, dueAt: instant, plannedAt: instant }),

  /** It stays open after all. Where it has a public address, `PublicAddressChanged` puts the page back. */
  BusinessClosureCancelled: event({ businessId: id, erasureId: id, cancelledAt: instant }),

  /** It is closed for good: every reader blanks what it shows, also while the keys are still there. */
  BusinessClosed: event({ businessId: id, erasureId: id, closedAt: instant }),

  /** How long the details of customers whose jobs were worked on are stored after a job's last event, in years. */
  RetentionPeriodChanged: event({
    businessId: id,
    years: 'number.integer > 0',
    changedAt: instant,
  }),

  /** Nothing of its customers, nor of itself, is erased before `until`: the operator was asked to keep it. */
  BusinessHoldPlaced: event(
    { businessId: id, until: instant, reason: 'string', placedAt: instant },
    { personal: { subject: business, erased: { reason: ERASED } } },
  ),

  BusinessHoldEnded: event({ businessId: id, endedAt: instant }),

  /** All of its data was downloaded in one file. `position` is the end of the log as the download began. */
  BusinessExported: event({ businessId: id, accountId: id, position: 'string', exportedAt: instant }),
};

export type BusinessEvent<T extends keyof typeof businessEvents = keyof typeof businessEvents> = EventOf<
  typeof businessEvents,
  T
>;

export const isBusinessEvent = eventGuard(businessEvents);

import type { Event } from '#core/kernel/event.ts';
import type { Plan } from '#core/values/plan.ts';
import type { Region } from '#core/values/region.ts';
import type { ThemeColour } from '#core/values/theme-colour.ts';

/** A business came to Ute. `timeZone` is IANA and frozen here; `radius` in metres. */
export type BusinessRegistered = Event<
  'BusinessRegistered',
  {
    businessId: string;
    accountId: string;
    region: Region;
    plan: Plan;
    bn: string;
    name: string;
    tradingName: string;
    /** What the public page says under the name, for example "Plumbers, Brunswick VIC". */
    tagline: string;
    timeZone: string;
    coverage: Readonly<{ lat: number; lng: number; radius: number }>;
    registeredAt: string;
  }
>;

/** The business goes by another name or number. `name` as the register has it, `tradingName` as customers know it. */
export type BusinessDetailsChanged = Event<
  'BusinessDetailsChanged',
  { businessId: string; accountId: string; bn: string; name: string; tradingName: string; changedAt: string }
>;

/** The business is on another plan from now on. */
export type PlanChanged = Event<'PlanChanged', { businessId: string; plan: Plan; changedAt: string }>;

/** The public address, colour and logo. `logo` is a key in the file store. */
export type BusinessBranded = Event<
  'BusinessBranded',
  { businessId: string; slug: string; theme: ThemeColour; logo: string | null; brandedAt: string }
>;

/** The text under "About us", at most 300 characters. */
export type BusinessIntroduced = Event<
  'BusinessIntroduced',
  { businessId: string; accountId: string; intro: string; introducedAt: string }
>;

/** Which contact details the public page shows; null hides one. Phone in E.164. */
export type BusinessContactPublished = Event<
  'BusinessContactPublished',
  {
    businessId: string;
    accountId: string;
    phone: string | null;
    email: string | null;
    publishedAt: string;
  }
>;

export type BusinessEvent =
  | BusinessRegistered
  | BusinessDetailsChanged
  | PlanChanged
  | BusinessBranded
  | BusinessIntroduced
  | BusinessContactPublished;

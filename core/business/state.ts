import { ERASED, ERASED_AREA, retentionYears } from '#core/values/stored-details.ts';
import { defaultThemeColour, type ThemeColour } from '#core/values/theme-colours.ts';
import type { BusinessEvent } from './events.ts';

/** A business and what customers see of it; null before it came to Ute. `slug` is null until it has a public address. */
export type BusinessState =
  | (Omit<BusinessEvent<'BusinessRegistered'>['data'], 'registeredAt'> &
      Readonly<{
        slug: string | null;
        theme: ThemeColour;
        /** A key in the file store; null for none. */
        logo: string | null;
        intro: string;
        /** How long the details of customers whose jobs were worked on are stored, in years. */
        retentionYears: number;
        /** Nothing of it is erased before `until`, an instant; null: there is no hold. */
        hold: Readonly<{ until: string; reason: string }> | null;
        /** What the public page shows of it; null hides one. */
        contact: Pick<BusinessEvent<'BusinessContactPublished'>['data'], 'phone' | 'email'>;
        /** What is to close it, and when; null while it stays open. */
        closing: Pick<BusinessEvent<'BusinessClosurePlanned'>['data'], 'erasureId' | 'dueAt'> | null;
        isClosed: boolean;
      }>)
  | null;

const erased = {
  ...{ bn: ERASED, name: ERASED, tradingName: ERASED, tagline: ERASED, coverage: ERASED_AREA },
  ...{ intro: '', contact: { phone: null, email: null } },
};

/** The business after one more event. */
export function evolveBusiness(state: BusinessState, event: BusinessEvent): BusinessState {
  if (event.type === 'BusinessRegistered') return state ?? registered(event);
  if (state === null) return null;
  switch (event.type) {
    case 'BusinessDetailsChanged': {
      const { bn, name, tradingName } = event.data;
      return { ...state, bn, name, tradingName };
    }
    case 'ServiceAreaChanged':
      return { ...state, coverage: event.data.coverage };
    case 'TaglineChanged':
      return { ...state, tagline: event.data.tagline };
    case 'TimeZoneChanged':
      return { ...state, timeZone: event.data.timeZone };
    case 'PlanChanged':
      return { ...state, plan: event.data.plan };
    case 'PublicAddressChanged':
      return { ...state, slug: event.data.slug };
    case 'ThemeChanged':
      return { ...state, theme: event.data.theme };
    case 'LogoChanged':
      return { ...state, logo: event.data.logo };
    case 'LogoRemoved':
      return { ...state, logo: null };
    case 'BusinessIntroduced':
      return { ...state, intro: event.data.intro };
    case 'BusinessContactPublished': {
      const { phone, email } = event.data;
      return { ...state, contact: { phone, email } };
    }
    case 'BusinessClosurePlanned': {
      const { erasureId, dueAt } = event.data;
      return { ...state, closing: { erasureId, dueAt } };
    }
    case 'BusinessClosureCancelled':
      return { ...state, closing: null };
    case 'BusinessClosed':
      return { ...state, ...erased, slug: null, logo: null, closing: null, isClosed: true };
    case 'RetentionPeriodChanged':
      return { ...state, retentionYears: event.data.years };
    case 'BusinessHoldPlaced': {
      const { until, reason } = event.data;
      return { ...state, hold: { until, reason } };
    }
    case 'BusinessHoldEnded':
      return { ...state, hold: null };
    default:
      return state;
  }
}

function registered({ data }: BusinessEvent<'BusinessRegistered'>): BusinessState {
  const { registeredAt: _, ...business } = data;
  const shown = { slug: null, theme: defaultThemeColour, logo: null, intro: '' };
  const open = { closing: null, isClosed: false };
  const kept = { retentionYears: retentionYears.standard, hold: null };
  return { ...business, ...shown, ...open, ...kept, contact: { phone: null, email: null } };
}

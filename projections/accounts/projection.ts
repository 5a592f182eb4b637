import { defaultLocation } from '#core/values/registration-steps.ts';
import { ERASED_AREA } from '#core/values/stored-details.ts';
import { defaultThemeColour } from '#core/values/theme-colours.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import { foldRows, type RowFold } from '#projections/runtime/rows.ts';
import {
  type AccountBusinessRow,
  type AccountRow,
  accountsTable,
  businessesTable,
  version,
} from './table.ts';

const accountRows: RowFold<AccountRow> = {
  table: accountsTable,
  category: 'account',
  isEnd: ({ event }) => event?.type === 'AccountErased',
  evolve(row, { event }) {
    switch (event?.type) {
      case 'AccountOpened': {
        const { accountId, businessId, email, phone, firstName, lastName } = event.data;
        const person = { email, phone, first_name: firstName, last_name: lastName };
        const flags = { onboarding: true, email_confirmed: true };
        return row ?? { account_id: accountId, business_id: businessId, ...person, ...flags };
      }
      case 'OnboardingFinished':
        return row && { ...row, onboarding: false };
      case 'AccountRenamed':
        return row && { ...row, first_name: event.data.firstName, last_name: event.data.lastName };
      case 'AccountEmailChanged':
        return row && { ...row, email: event.data.email, email_confirmed: true };
      case 'EmailConfirmationAwaited':
        return row && { ...row, email_confirmed: false };
      case 'AccountEmailConfirmed':
        return row && { ...row, email_confirmed: true };
      case 'AccountPhoneChanged':
        return row && { ...row, phone: event.data.phone };
      default:
        return row;
    }
  },
};

const businessRows: RowFold<AccountBusinessRow> = {
  table: businessesTable,
  category: 'business',
  isEnd: ({ event }) => event?.type === 'BusinessClosed',
  evolve(row, { event }) {
    switch (event?.type) {
      case 'BusinessRegistered': {
        const { businessId, region, plan, timeZone, bn, name, tradingName, coverage } = event.data;
        const registered = { region, plan, time_zone: timeZone, bn, name, trading_name: tradingName };
        const face = { slug: null, theme: defaultThemeColour, logo: null, intro: '', shows_phone: false };
        return (
          row ?? { business_id: businessId, ...registered, ...face, closes_at: null, ...baseOf(coverage) }
        );
      }
      case 'BusinessDetailsChanged': {
        const { bn, name, tradingName } = event.data;
        return row && { ...row, bn, name, trading_name: tradingName };
      }
      case 'ServiceAreaChanged':
        return row && { ...row, ...baseOf(event.data.coverage) };
      case 'TimeZoneChanged':
        return row && { ...row, time_zone: event.data.timeZone };
      case 'PlanChanged':
        return row && { ...row, plan: event.data.plan };
      case 'PublicAddressChanged':
        return row && { ...row, slug: event.data.slug };
      case 'ThemeChanged':
        return row && { ...row, theme: event.data.theme };
      case 'LogoChanged':
        return row && { ...row, logo: event.data.logo };
      case 'LogoRemoved':
        return row && { ...row, logo: null };
      case 'BusinessIntroduced':
        return row && { ...row, intro: event.data.intro };
      case 'BusinessContactPublished':
        return row && { ...row, shows_phone: event.data.phone !== null };
      case 'BusinessClosurePlanned':
        return row && { ...row, closes_at: event.data.dueAt };
      case 'BusinessClosureCancelled':
        return row && { ...row, closes_at: null };
      default:
        return row;
    }
  },
};

/** The middle of an area, unless it is the one that every area starts with or that of an erased person. */
export function baseOf({ lat, lng }: Readonly<{ lat: number; lng: number }>) {
  const isUnset = [defaultLocation, ERASED_AREA].some((area) => area.lat === lat && area.lng === lng);
  return isUnset ? { base_lat: null, base_lng: null } : { base_lat: lat, base_lng: lng };
}

/** Who can sign in, and the business that they find when they do. */
export const accounts: Projection = {
  name: 'accounts',
  version,
  tables: [accountsTable, businessesTable],
  categories: ['account', 'business'],
  async apply(db, table, events) {
    const people = await foldRows(db, table, accountRows, events);
    const businesses = await foldRows(db, table, businessRows, events);
    return [
      ...people.map(({ after }) => {
        return { businessId: after.business_id, kind: 'account', id: after.account_id } as const;
      }),
      ...businesses.map(({ after: { business_id: id } }) => {
        return { businessId: id, kind: 'business', id } as const;
      }),
    ];
  },
};

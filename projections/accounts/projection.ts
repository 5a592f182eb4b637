import { defaultThemeColour, type ThemeColour } from '#core/values/business.ts';
import type { Plan } from '#core/values/product.ts';
import type { Region } from '#core/values/region.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import { foldRows, type RowFold } from '#projections/runtime/rows.ts';
import { code, declareTable, flag, integer, nullable, type RowOf, text } from '#projections/runtime/table.ts';

const accountsTable = declareTable({
  name: 'accounts',
  columns: {
    account_id: code(),
    business_id: code(),
    email: text(),
    phone: text(),
    first_name: text(),
    last_name: text(),
    onboarding: flag(),
    revision: integer(),
  },
  primaryKey: ['account_id'],
  visible: 'to all sessions',
});
type AccountRow = RowOf<typeof accountsTable>;

const businessesTable = declareTable({
  name: 'account_businesses',
  columns: {
    business_id: code(),
    region: text<Region>(),
    plan: text<Plan>(),
    time_zone: text(),
    bn: text(),
    name: text(),
    trading_name: text(),
    slug: nullable(text()),
    theme: text<ThemeColour>(),
    logo: nullable(text()),
    intro: text(),
    revision: integer(),
  },
  primaryKey: ['business_id'],
  visible: 'to all sessions',
});
type AccountBusinessRow = RowOf<typeof businessesTable>;

const accountRows: RowFold<AccountRow> = {
  table: accountsTable,
  category: 'account',
  evolve(row, { event }) {
    switch (event?.type) {
      case 'AccountOpened': {
        const { accountId, businessId, email, phone, firstName, lastName } = event.data;
        const person = { email, phone, first_name: firstName, last_name: lastName };
        return row ?? { account_id: accountId, business_id: businessId, ...person, onboarding: true };
      }
      case 'OnboardingFinished':
        return row && { ...row, onboarding: false };
      case 'AccountRenamed':
        return row && { ...row, first_name: event.data.firstName, last_name: event.data.lastName };
      case 'AccountEmailChanged':
        return row && { ...row, email: event.data.email };
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
  evolve(row, { event }) {
    switch (event?.type) {
      case 'BusinessRegistered': {
        const { businessId, region, plan, timeZone, bn, name, tradingName } = event.data;
        const registered = { region, plan, time_zone: timeZone, bn, name, trading_name: tradingName };
        const face = { slug: null, theme: defaultThemeColour, logo: null, intro: '' };
        return row ?? { business_id: businessId, ...registered, ...face };
      }
      case 'BusinessDetailsChanged': {
        const { bn, name, tradingName } = event.data;
        return row && { ...row, bn, name, trading_name: tradingName };
      }
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
      case 'BusinessBranded': {
        const { slug, theme, logo } = event.data;
        return row && { ...row, slug, theme, logo };
      }
      case 'BusinessIntroduced':
        return row && { ...row, intro: event.data.intro };
      default:
        return row;
    }
  },
};

/** Who can sign in, and the business that they find when they do. */
export const accounts: Projection = {
  name: 'accounts',
  version: 1,
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

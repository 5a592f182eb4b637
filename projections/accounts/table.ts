import type { Plan } from '#core/values/product.ts';
import type { Region } from '#core/values/region.ts';
import type { ThemeColour } from '#core/values/theme-colours.ts';
import { liveBuild } from '#projections/runtime/build.ts';
import {
  code,
  decimal,
  declareTable,
  flag,
  instant,
  integer,
  nullable,
  personal,
  type RowOf,
  text,
} from '#projections/runtime/table.ts';

/** Raised with the shape of the tables. */
export const version = 1;

export const accountsTable = declareTable({
  name: 'accounts',
  columns: {
    account_id: code(),
    business_id: code(),
    email: personal(text()),
    phone: personal(text()),
    first_name: personal(text()),
    last_name: personal(text()),
    onboarding: flag(),
    // False from when a link was sent until it came back.
    email_confirmed: flag(),
    revision: integer(),
  },
  primaryKey: ['account_id'],
  visible: 'to all sessions',
});
export type AccountRow = RowOf<typeof accountsTable>;

export const businessesTable = declareTable({
  name: 'account_businesses',
  columns: {
    business_id: code(),
    region: text<Region>(),
    plan: text<Plan>(),
    time_zone: text(),
    bn: personal(text()),
    name: personal(text()),
    trading_name: personal(text()),
    slug: personal(nullable(text())),
    theme: text<ThemeColour>(),
    logo: nullable(text()),
    intro: personal(text()),
    // Whether customers see a phone on the public page.
    shows_phone: flag(),
    // Where the tradie starts from, in degrees; null where the coverage step never set it, and once it is erased.
    base_lat: nullable(decimal()),
    base_lng: nullable(decimal()),
    // When it is to be closed; null while it stays open.
    closes_at: nullable(instant()),
    revision: integer(),
  },
  primaryKey: ['business_id'],
  visible: 'to all sessions',
});
export type AccountBusinessRow = RowOf<typeof businessesTable>;

/** The tables that this release reads, quoted, with their schema. */
const { table: live } = liveBuild({ name: 'accounts', version });
export const accountTables = {
  accounts: live(accountsTable.name),
  businesses: live(businessesTable.name),
} as const;

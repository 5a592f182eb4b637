import type { Command } from '#core/kernel/decider.ts';
import type { BusinessEvent } from './events.ts';

export type RegisterBusiness = Command<
  'RegisterBusiness',
  Omit<BusinessEvent<'BusinessRegistered'>['data'], 'registeredAt'>
>;
export type ChangeBusinessDetails = Command<
  'ChangeBusinessDetails',
  Omit<BusinessEvent<'BusinessDetailsChanged'>['data'], 'changedAt' | 'accountId'>
>;
export type ChangeServiceArea = Command<
  'ChangeServiceArea',
  Omit<BusinessEvent<'ServiceAreaChanged'>['data'], 'changedAt' | 'accountId'>
>;
export type ChangeTagline = Command<
  'ChangeTagline',
  Omit<BusinessEvent<'TaglineChanged'>['data'], 'changedAt' | 'accountId'>
>;
export type ChangeTimeZone = Command<
  'ChangeTimeZone',
  Omit<BusinessEvent<'TimeZoneChanged'>['data'], 'changedAt'>
>;
export type ChangePlan = Command<'ChangePlan', Omit<BusinessEvent<'PlanChanged'>['data'], 'changedAt'>>;
/** `slug` as `normaliseSlug` writes it; it is reserved for the business before the append. */
export type ChangePublicAddress = Command<
  'ChangePublicAddress',
  Omit<BusinessEvent<'PublicAddressChanged'>['data'], 'changedAt'>
>;
export type ChangeTheme = Command<'ChangeTheme', Omit<BusinessEvent<'ThemeChanged'>['data'], 'changedAt'>>;
/** `logo` is the key of a stored picture; null takes the logo away. */
export type ChangeLogo = Command<'ChangeLogo', { businessId: string; logo: string | null }>;
export type IntroduceBusiness = Command<
  'IntroduceBusiness',
  Omit<BusinessEvent<'BusinessIntroduced'>['data'], 'introducedAt' | 'accountId'>
>;
export type PublishBusinessContact = Command<
  'PublishBusinessContact',
  Omit<BusinessEvent<'BusinessContactPublished'>['data'], 'publishedAt' | 'accountId'>
>;

/** `accountId`: whose session it was. */
export type ExportBusiness = Command<
  'ExportBusiness',
  Omit<BusinessEvent<'BusinessExported'>['data'], 'exportedAt'>
>;

type OfErasure = Readonly<{ businessId: string; erasureId: string }>;

/** `dueAt`: an instant. */
export type PlanBusinessClosure = Command<'PlanBusinessClosure', OfErasure & { dueAt: string }>;
export type CancelBusinessClosure = Command<'CancelBusinessClosure', OfErasure>;
/** The business is closed for good, planned or not. */
export type CloseBusiness = Command<'CloseBusiness', OfErasure>;

export type ChangeRetentionPeriod = Command<
  'ChangeRetentionPeriod',
  Omit<BusinessEvent<'RetentionPeriodChanged'>['data'], 'changedAt'>
>;

/** Nothing of the business is to be erased before `until`, an instant. Again: another end or reason. */
export type PlaceBusinessHold = Command<
  'PlaceBusinessHold',
  Omit<BusinessEvent<'BusinessHoldPlaced'>['data'], 'placedAt'>
>;
export type EndBusinessHold = Command<'EndBusinessHold', { businessId: string }>;

export type BusinessCommand =
  | RegisterBusiness
  | ChangeBusinessDetails
  | ChangeServiceArea
  | ChangeTagline
  | ChangeTimeZone
  | ChangePlan
  | ChangePublicAddress
  | ChangeTheme
  | ChangeLogo
  | IntroduceBusiness
  | PublishBusinessContact
  | ExportBusiness
  | PlanBusinessClosure
  | CancelBusinessClosure
  | CloseBusiness
  | ChangeRetentionPeriod
  | PlaceBusinessHold
  | EndBusinessHold;

import type { Command } from '#core/kernel/command.ts';
import type { BusinessEvent } from './events.ts';

export type RegisterBusiness = Command<
  'RegisterBusiness',
  Omit<BusinessEvent<'BusinessRegistered'>['data'], 'registeredAt'>
>;
export type ChangeBusinessDetails = Command<
  'ChangeBusinessDetails',
  Omit<BusinessEvent<'BusinessDetailsChanged'>['data'], 'changedAt' | 'accountId'>
>;
export type ChangePlan = Command<'ChangePlan', Omit<BusinessEvent<'PlanChanged'>['data'], 'changedAt'>>;
type Face = Pick<BusinessEvent<'BusinessBranded'>['data'], 'slug' | 'theme' | 'logo'>;
/**
 * What is left out stays as it is. `slug` as `normaliseSlug` writes it; that it is nobody else's is claimed before the append.
 */
export type BrandBusiness = Command<'BrandBusiness', Readonly<{ businessId: string } & Partial<Face>>>;
export type IntroduceBusiness = Command<
  'IntroduceBusiness',
  Omit<BusinessEvent<'BusinessIntroduced'>['data'], 'introducedAt' | 'accountId'>
>;
export type PublishBusinessContact = Command<
  'PublishBusinessContact',
  Omit<BusinessEvent<'BusinessContactPublished'>['data'], 'publishedAt' | 'accountId'>
>;

export type BusinessCommand =
  | RegisterBusiness
  | ChangeBusinessDetails
  | ChangePlan
  | BrandBusiness
  | IntroduceBusiness
  | PublishBusinessContact;

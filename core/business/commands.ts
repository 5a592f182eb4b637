import type { Command } from '#core/kernel/command.ts';
import type {
  BusinessBranded,
  BusinessContactPublished,
  BusinessDetailsChanged,
  BusinessIntroduced,
  BusinessRegistered,
  PlanChanged,
} from './events.ts';

export type RegisterBusiness = Command<'RegisterBusiness', Omit<BusinessRegistered['data'], 'registeredAt'>>;
export type ChangeBusinessDetails = Command<
  'ChangeBusinessDetails',
  Omit<BusinessDetailsChanged['data'], 'changedAt' | 'accountId'>
>;
export type ChangePlan = Command<'ChangePlan', Omit<PlanChanged['data'], 'changedAt'>>;
type Face = Pick<BusinessBranded['data'], 'slug' | 'theme' | 'logo'>;
/**
 * What is left out stays as it is. `slug` as `normaliseSlug` writes it; that it is nobody else's is claimed before the append.
 */
export type BrandBusiness = Command<'BrandBusiness', Readonly<{ businessId: string } & Partial<Face>>>;
export type IntroduceBusiness = Command<
  'IntroduceBusiness',
  Omit<BusinessIntroduced['data'], 'introducedAt' | 'accountId'>
>;
export type PublishBusinessContact = Command<
  'PublishBusinessContact',
  Omit<BusinessContactPublished['data'], 'publishedAt' | 'accountId'>
>;

export type BusinessCommand =
  | RegisterBusiness
  | ChangeBusinessDetails
  | ChangePlan
  | BrandBusiness
  | IntroduceBusiness
  | PublishBusinessContact;

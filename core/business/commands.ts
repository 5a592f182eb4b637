import type { Command } from '#core/kernel/command.ts';
import type {
  BusinessBranded,
  BusinessContactPublished,
  BusinessIntroduced,
  BusinessRegistered,
} from './events.ts';

export type RegisterBusiness = Command<'RegisterBusiness', Omit<BusinessRegistered['data'], 'registeredAt'>>;
/** `slug` as `normaliseSlug` writes it; that it is nobody else's is claimed before the append. */
export type BrandBusiness = Command<'BrandBusiness', Omit<BusinessBranded['data'], 'brandedAt'>>;
export type IntroduceBusiness = Command<
  'IntroduceBusiness',
  Omit<BusinessIntroduced['data'], 'introducedAt' | 'accountId'>
>;
export type PublishBusinessContact = Command<
  'PublishBusinessContact',
  Omit<BusinessContactPublished['data'], 'publishedAt' | 'accountId'>
>;

export type BusinessCommand = RegisterBusiness | BrandBusiness | IntroduceBusiness | PublishBusinessContact;

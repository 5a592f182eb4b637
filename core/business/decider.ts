import type { Decider } from '#core/kernel/decider.ts';
import { ConflictError, InvalidInputError, NotFoundError } from '#core/kernel/errors.ts';
import type {
  BrandBusiness,
  BusinessCommand,
  IntroduceBusiness,
  PublishBusinessContact,
  RegisterBusiness,
} from './commands.ts';
import type { BusinessEvent } from './events.ts';
import { allowsLogo, brandingProblems, contactProblems, introLength, registrationProblems } from './rules.ts';
import { type BusinessState, evolveBusiness } from './state.ts';

/** A business and its public face. */
export const businessDecider: Decider<BusinessState, BusinessCommand, BusinessEvent> = {
  decide: decideBusiness,
  evolve: evolveBusiness,
  initialState: null,
};

function decideBusiness(command: BusinessCommand, state: BusinessState): BusinessEvent[] {
  switch (command.type) {
    case 'RegisterBusiness':
      return registerBusiness(command, state);
    case 'BrandBusiness':
      return brandBusiness(command, state);
    case 'IntroduceBusiness':
      return introduceBusiness(command, state);
    case 'PublishBusinessContact':
      return publishBusinessContact(command, state);
    default:
      return command satisfies never;
  }
}

function registerBusiness({ data, at }: RegisterBusiness, state: BusinessState): BusinessEvent[] {
  if (state !== null) {
    const same = state.businessId === data.businessId && state.accountId === data.accountId;
    if (same && state.bn === data.bn && state.region === data.region) return [];
    throw new ConflictError('This business is already registered');
  }
  refuse(registrationProblems(data));
  return [{ type: 'BusinessRegistered', data: { ...data, registeredAt: at } }];
}

function brandBusiness({ data, at }: BrandBusiness, state: BusinessState): BusinessEvent[] {
  const { branding, plan } = ownBusiness(data.businessId, state);
  refuse(brandingProblems(data));
  if (data.logo !== null && !allowsLogo(plan)) throw new ConflictError('Your plan does not include a logo');
  const same = branding?.slug === data.slug && branding.theme === data.theme && branding.logo === data.logo;
  return same ? [] : [{ type: 'BusinessBranded', data: { ...data, brandedAt: at } }];
}

function introduceBusiness({ data, at }: IntroduceBusiness, state: BusinessState): BusinessEvent[] {
  const { accountId, intro } = ownBusiness(data.businessId, state);
  refuse(data.intro.length > introLength ? { intro: `Use at most ${introLength} characters` } : {});
  if (data.intro === intro) return [];
  return [{ type: 'BusinessIntroduced', data: { ...data, accountId, introducedAt: at } }];
}

function publishBusinessContact({ data, at }: PublishBusinessContact, state: BusinessState): BusinessEvent[] {
  const { accountId, contact } = ownBusiness(data.businessId, state);
  refuse(contactProblems(data));
  if (data.phone === contact.phone && data.email === contact.email) return [];
  return [{ type: 'BusinessContactPublished', data: { ...data, accountId, publishedAt: at } }];
}

function ownBusiness(businessId: string, state: BusinessState): NonNullable<BusinessState> {
  if (state === null || state.businessId !== businessId) throw new NotFoundError('Business not found');
  return state;
}

function refuse(fields: Record<string, string>): void {
  if (Object.keys(fields).length > 0) throw new InvalidInputError('Please check what you entered', fields);
}

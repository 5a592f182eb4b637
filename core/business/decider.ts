import type { Decider } from '#core/kernel/decider.ts';
import { ConflictError, InvalidInputError, NotFoundError } from '#core/kernel/errors.ts';
import { introProblem } from '#core/values/business-details.ts';
import { planRules } from '#core/values/plan-rules.ts';
import { defaultThemeColour } from '#core/values/theme-colour.ts';
import type {
  BrandBusiness,
  BusinessCommand,
  ChangeBusinessDetails,
  ChangePlan,
  IntroduceBusiness,
  PublishBusinessContact,
  RegisterBusiness,
} from './commands.ts';
import { type BusinessEvent, isBusinessEvent } from './events.ts';
import { brandingProblems, contactProblems, detailsProblems, registrationProblems } from './rules.ts';
import { type BusinessState, evolveBusiness } from './state.ts';

/** A business and its public face. */
export const businessDecider: Decider<BusinessState, BusinessCommand, BusinessEvent> = {
  decide: decideBusiness,
  evolve: evolveBusiness,
  initialState: null,
  owns: isBusinessEvent,
};

function decideBusiness(command: BusinessCommand, state: BusinessState): BusinessEvent[] {
  switch (command.type) {
    case 'RegisterBusiness':
      return registerBusiness(command, state);
    case 'ChangeBusinessDetails':
      return changeBusinessDetails(command, state);
    case 'ChangePlan':
      return changePlan(command, state);
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

function changeBusinessDetails({ data, at }: ChangeBusinessDetails, state: BusinessState): BusinessEvent[] {
  const before = ownBusiness(data.businessId, state);
  const { accountId, bn, name, tradingName } = before;
  if (data.bn === bn && data.name === name && data.tradingName === tradingName) return [];
  refuse(detailsProblems(data, before));
  return [{ type: 'BusinessDetailsChanged', data: { ...data, accountId, changedAt: at } }];
}

/** A plan without a logo takes it away: the next plan up begins with none. */
function changePlan({ data, at }: ChangePlan, state: BusinessState): BusinessEvent[] {
  const { businessId, plan, branding } = ownBusiness(data.businessId, state);
  if (data.plan === plan) return [];
  const changed: BusinessEvent = { type: 'PlanChanged', data: { ...data, changedAt: at } };
  if (!branding?.logo || planRules[data.plan].logo) return [changed];
  return [changed, { type: 'BusinessBranded', data: { businessId, ...branding, logo: null, brandedAt: at } }];
}

function brandBusiness({ data, at }: BrandBusiness, state: BusinessState): BusinessEvent[] {
  const { branding, plan } = ownBusiness(data.businessId, state);
  const { slug = '', theme = defaultThemeColour, logo = null } = { ...branding, ...data };
  const face: BusinessEvent<'BusinessBranded'>['data'] = {
    businessId: data.businessId,
    slug,
    theme,
    logo,
    brandedAt: at,
  };
  refuse(brandingProblems(face));
  if (logo !== null && !planRules[plan].logo) throw new ConflictError('Your plan does not include a logo');
  const same = branding?.slug === slug && branding.theme === theme && branding.logo === logo;
  return same ? [] : [{ type: 'BusinessBranded', data: face }];
}

function introduceBusiness({ data, at }: IntroduceBusiness, state: BusinessState): BusinessEvent[] {
  const { accountId, intro } = ownBusiness(data.businessId, state);
  const problem = introProblem(data.intro);
  refuse(problem === null ? {} : { intro: problem });
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

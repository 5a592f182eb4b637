import type { Decider } from '#core/kernel/decider.ts';
import { ConflictError, InvalidInputError, NotFoundError } from '#core/kernel/errors.ts';
import { businessNumberLabels, introProblem, isBusinessNumber } from '#core/values/business.ts';
import { emailMessage, isEmail } from '#core/values/contact.ts';
import { businessNameLength, businessNameProblem } from '#core/values/names.ts';
import { isStoredPhone } from '#core/values/phone.ts';
import { planRules } from '#core/values/product.ts';
import type { Region } from '#core/values/region.ts';
import { maxCoverageRadius } from '#core/values/registration-steps.ts';
import { isSlug, slugMessage } from '#core/values/slug.ts';
import { isRetentionPeriod, keepingProblems, retentionPeriodMessage } from '#core/values/stored-details.ts';
import { countCharacters, severalLines } from '#core/values/text.ts';
import { isThemeColour } from '#core/values/theme-colours.ts';
import { isTimeZone } from '#core/values/time.ts';
import { isZoneOf } from '#core/values/time-zones.ts';
import { phoneMessage } from '#core/values/typed-phone.ts';
import type {
  BusinessCommand,
  CancelBusinessClosure,
  ChangeBusinessDetails,
  ChangeLogo,
  ChangePlan,
  ChangePublicAddress,
  ChangeRetentionPeriod,
  ChangeServiceArea,
  ChangeTagline,
  ChangeTheme,
  ChangeTimeZone,
  CloseBusiness,
  ExportBusiness,
  IntroduceBusiness,
  PlaceBusinessHold,
  PlanBusinessClosure,
  PublishBusinessContact,
  RegisterBusiness,
} from './commands.ts';
import { type BusinessEvent, isBusinessEvent } from './events.ts';
import { type BusinessState, evolveBusiness } from './state.ts';

export const closedMessage = 'This business was closed';
const zoneMessage = 'Choose a time zone';
const areaMessage = 'Choose the area you cover';
const closingMessage = 'This business is to be closed: keep it open first';

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
    case 'ChangeServiceArea':
      return changeServiceArea(command, state);
    case 'ChangeTagline':
      return changeTagline(command, state);
    case 'ChangeTimeZone':
      return changeTimeZone(command, state);
    case 'ChangePlan':
      return changePlan(command, state);
    case 'ChangePublicAddress':
      return changePublicAddress(command, state);
    case 'ChangeTheme':
      return changeTheme(command, state);
    case 'ChangeLogo':
      return changeLogo(command, state);
    case 'IntroduceBusiness':
      return introduceBusiness(command, state);
    case 'PublishBusinessContact':
      return publishBusinessContact(command, state);
    case 'ExportBusiness':
      return exportBusiness(command, state);
    case 'PlanBusinessClosure':
      return planClosure(command, state);
    case 'CancelBusinessClosure':
      return cancelClosure(command, state);
    case 'CloseBusiness':
      return closeBusiness(command, state);
    case 'ChangeRetentionPeriod':
      return changeRetentionPeriod(command, state);
    case 'PlaceBusinessHold':
      return placeHold(command, state);
    case 'EndBusinessHold': {
      const { businessId, hold } = ownBusiness(command.data.businessId, state);
      return hold === null ? [] : [{ type: 'BusinessHoldEnded', data: { businessId, endedAt: command.at } }];
    }
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

function changeServiceArea({ data, at }: ChangeServiceArea, state: BusinessState): BusinessEvent[] {
  const { accountId, coverage: before } = ownBusiness(data.businessId, state);
  const { lat, lng, radius } = data.coverage;
  refuse(isArea(data.coverage) ? {} : { coverage: areaMessage });
  if (lat === before.lat && lng === before.lng && radius === before.radius) return [];
  return [{ type: 'ServiceAreaChanged', data: { ...data, accountId, changedAt: at } }];
}

function changeTagline({ data, at }: ChangeTagline, state: BusinessState): BusinessEvent[] {
  const { accountId, tagline } = ownBusiness(data.businessId, state);
  if (data.tagline === tagline) return [];
  return [{ type: 'TaglineChanged', data: { ...data, accountId, changedAt: at } }];
}

function changeTimeZone({ data, at }: ChangeTimeZone, state: BusinessState): BusinessEvent[] {
  const { region, timeZone } = ownBusiness(data.businessId, state);
  if (data.timeZone === timeZone) return [];
  refuse(isZoneOf(region, data.timeZone) ? {} : { timeZone: zoneMessage });
  return [{ type: 'TimeZoneChanged', data: { ...data, changedAt: at } }];
}

/** A plan without a logo takes it away: the next plan up begins with none. */
function changePlan({ data, at }: ChangePlan, state: BusinessState): BusinessEvent[] {
  const { businessId, plan, logo } = ownBusiness(data.businessId, state);
  if (data.plan === plan) return [];
  const changed: BusinessEvent = { type: 'PlanChanged', data: { ...data, changedAt: at } };
  if (logo === null || planRules[data.plan].logo) return [changed];
  return [changed, { type: 'LogoRemoved', data: { businessId, reason: 'plan', removedAt: at } }];
}

function changePublicAddress({ data, at }: ChangePublicAddress, state: BusinessState): BusinessEvent[] {
  const { slug, closing } = ownBusiness(data.businessId, state);
  if (closing !== null) throw new ConflictError(closingMessage);
  refuse(isSlug(data.slug) ? {} : { slug: slugMessage });
  return data.slug === slug ? [] : [{ type: 'PublicAddressChanged', data: { ...data, changedAt: at } }];
}

function changeTheme({ data, at }: ChangeTheme, state: BusinessState): BusinessEvent[] {
  const { theme } = ownBusiness(data.businessId, state);
  refuse(isThemeColour(data.theme) ? {} : { theme: 'Choose one of the colours' });
  return data.theme === theme ? [] : [{ type: 'ThemeChanged', data: { ...data, changedAt: at } }];
}

function changeLogo({ data, at }: ChangeLogo, state: BusinessState): BusinessEvent[] {
  const { businessId, logo, plan } = ownBusiness(data.businessId, state);
  if (data.logo !== null && !planRules[plan].logo)
    throw new ConflictError('Your plan does not include a logo');
  if (data.logo === logo) return [];
  return data.logo === null
    ? [{ type: 'LogoRemoved', data: { businessId, reason: 'owner', removedAt: at } }]
    : [{ type: 'LogoChanged', data: { businessId, logo: data.logo, changedAt: at } }];
}

function introduceBusiness({ data, at }: IntroduceBusiness, state: BusinessState): BusinessEvent[] {
  const { accountId, intro } = ownBusiness(data.businessId, state);
  const words = severalLines(data.intro).trim();
  const problem = introProblem(words);
  refuse(problem === null ? {} : { intro: problem });
  if (words === intro) return [];
  return [{ type: 'BusinessIntroduced', data: { ...data, intro: words, accountId, introducedAt: at } }];
}

/** Every download is one event: there is nothing that a second one repeats. */
function exportBusiness({ data, at }: ExportBusiness, state: BusinessState): BusinessEvent[] {
  ownBusiness(data.businessId, state);
  return [{ type: 'BusinessExported', data: { ...data, exportedAt: at } }];
}

function changeRetentionPeriod({ data, at }: ChangeRetentionPeriod, state: BusinessState): BusinessEvent[] {
  const { retentionYears } = ownBusiness(data.businessId, state);
  refuse(isRetentionPeriod(data.years) ? {} : { years: retentionPeriodMessage });
  if (data.years === retentionYears) return [];
  return [{ type: 'RetentionPeriodChanged', data: { ...data, changedAt: at } }];
}

function placeHold({ data, at }: PlaceBusinessHold, state: BusinessState): BusinessEvent[] {
  const { hold } = ownBusiness(data.businessId, state);
  refuse(keepingProblems(data, at));
  if (hold?.until === data.until && hold.reason === data.reason) return [];
  return [{ type: 'BusinessHoldPlaced', data: { ...data, placedAt: at } }];
}

function publishBusinessContact({ data, at }: PublishBusinessContact, state: BusinessState): BusinessEvent[] {
  const { accountId, contact } = ownBusiness(data.businessId, state);
  refuse(contactProblems(data));
  if (data.phone === contact.phone && data.email === contact.email) return [];
  return [{ type: 'BusinessContactPublished', data: { ...data, accountId, publishedAt: at } }];
}

/** A plan that is there stays as it is, whichever erasure comes second. */
function planClosure({ data, at }: PlanBusinessClosure, state: BusinessState): BusinessEvent[] {
  const { closing, isClosed } = knownBusiness(data.businessId, state);
  return closing || isClosed ? [] : [{ type: 'BusinessClosurePlanned', data: { ...data, plannedAt: at } }];
}

/** Takes back the plan of that erasure; another one stays. */
function cancelClosure({ data, at }: CancelBusinessClosure, state: BusinessState): BusinessEvent[] {
  const { businessId, closing, slug } = knownBusiness(data.businessId, state);
  if (closing?.erasureId !== data.erasureId) return [];
  const cancelled: BusinessEvent = { type: 'BusinessClosureCancelled', data: { ...data, cancelledAt: at } };
  if (slug === null) return [cancelled];
  return [cancelled, { type: 'PublicAddressChanged', data: { businessId, slug, changedAt: at } }];
}

function closeBusiness({ data, at }: CloseBusiness, state: BusinessState): BusinessEvent[] {
  const { isClosed } = knownBusiness(data.businessId, state);
  return isClosed ? [] : [{ type: 'BusinessClosed', data: { ...data, closedAt: at } }];
}

function ownBusiness(businessId: string, state: BusinessState): NonNullable<BusinessState> {
  const business = knownBusiness(businessId, state);
  if (business.isClosed) throw new ConflictError(closedMessage);
  return business;
}

function knownBusiness(businessId: string, state: BusinessState): NonNullable<BusinessState> {
  if (state === null || state.businessId !== businessId) throw new NotFoundError('Business not found');
  return state;
}

function refuse(fields: Record<string, string>): void {
  if (Object.keys(fields).length > 0) throw new InvalidInputError('Please check what you entered', fields);
}

/** What is wrong with a registration, by field; `{}` when nothing is. */
export function registrationProblems(data: RegisterBusiness['data']): Record<string, string> {
  return {
    ...(isBusinessNumber(data.bn, data.region) ? {} : { bn: 'Enter a valid business number' }),
    ...(data.name.trim() ? {} : { name: 'Business name is required' }),
    ...(data.tradingName.trim() ? {} : { tradingName: 'Trading name is required' }),
    ...(isTimeZone(data.timeZone) ? {} : { timeZone: zoneMessage }),
    ...(isArea(data.coverage) ? {} : { coverage: areaMessage }),
  };
}

/** Whether a circle lies on Earth and is no wider than the widest. */
function isArea({ lat, lng, radius }: RegisterBusiness['data']['coverage']): boolean {
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && radius >= 0 && radius <= maxCoverageRadius;
}

type Details = Omit<ChangeBusinessDetails['data'], 'businessId'>;

/**
 * What is wrong with the new names and number of a business, by field; `{}` when nothing is. What stays as it was `before`
 * is not judged: a business may register with a shorter name than a change may give.
 */
function detailsProblems(
  { bn, name, tradingName }: Details,
  before: Details & Readonly<{ region: Region }>,
): Record<string, string> {
  const { region } = before;
  const numbered = bn === before.bn || isBusinessNumber(bn, region);
  const fits = name.trim().length > 0 && countCharacters(name) <= 2 * businessNameLength.max;
  const goesBy = tradingName === before.tradingName ? null : businessNameProblem(tradingName);
  return {
    ...(numbered ? {} : { bn: `Enter a valid ${businessNumberLabels[region]} number` }),
    ...(name === before.name || fits ? {} : { name: 'Choose the business from the search' }),
    ...(goesBy === null ? {} : { tradingName: goesBy }),
  };
}

/** What is wrong with published contact details, by field; `{}` when nothing is. */
function contactProblems({ email, phone }: PublishBusinessContact['data']): Record<string, string> {
  return {
    ...(email === null || isEmail(email) ? {} : { email: emailMessage }),
    ...(phone === null || isStoredPhone(phone) ? {} : { phone: phoneMessage }),
  };
}

import {
  businessNameLength,
  businessNameProblem,
  businessNumberLabels,
  isBusinessNumber,
} from '#core/values/business.ts';
import { emailMessage, isEmail, parsePhone, phoneMessage } from '#core/values/contact.ts';
import type { Region } from '#core/values/region.ts';
import { isTimeZone } from '#core/values/time.ts';
import type { ChangeBusinessDetails, PublishBusinessContact, RegisterBusiness } from './commands.ts';

/** The widest area a business covers, in metres. */
export const maxRadius = 100_000;

/** What is wrong with a registration, by field; `{}` when nothing is. */
export function registrationProblems(data: RegisterBusiness['data']): Record<string, string> {
  const { lat, lng, radius } = data.coverage;
  const onEarth = Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
  return {
    ...(isBusinessNumber(data.bn, data.region) ? {} : { bn: 'Enter a valid business number' }),
    ...(data.name.trim() ? {} : { name: 'Business name is required' }),
    ...(data.tradingName.trim() ? {} : { tradingName: 'Trading name is required' }),
    ...(isTimeZone(data.timeZone) ? {} : { timeZone: 'Choose a time zone' }),
    ...(onEarth && radius >= 0 && radius <= maxRadius ? {} : { coverage: 'Choose the area you cover' }),
  };
}

type Details = Omit<ChangeBusinessDetails['data'], 'businessId'>;

/**
 * What is wrong with the new names and number of a business, by field; `{}` when nothing is. What stays as it was `before`
 * is not judged: a business may register with a shorter name than a change may give.
 */
export function detailsProblems(
  { bn, name, tradingName }: Details,
  before: Details & Readonly<{ region: Region }>,
): Record<string, string> {
  const { region } = before;
  const numbered = bn === before.bn || isBusinessNumber(bn, region);
  const fits = name.trim().length > 0 && name.length <= 2 * businessNameLength.max;
  const goesBy = tradingName === before.tradingName ? null : businessNameProblem(tradingName);
  return {
    ...(numbered ? {} : { bn: `Enter a valid ${businessNumberLabels[region]} number` }),
    ...(name === before.name || fits ? {} : { name: 'Choose the business from the search' }),
    ...(goesBy === null ? {} : { tradingName: goesBy }),
  };
}

/** What is wrong with published contact details, by field; `{}` when nothing is. */
export function contactProblems({ email, phone }: PublishBusinessContact['data']): Record<string, string> {
  return {
    ...(email === null || isEmail(email) ? {} : { email: emailMessage }),
    ...(phone === null || parsePhone(phone) === phone ? {} : { phone: phoneMessage }),
  };
}

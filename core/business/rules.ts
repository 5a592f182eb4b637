import { isBusinessNumber } from '#core/values/business-number.ts';
import { emailMessage, isEmail } from '#core/values/email.ts';
import { parsePhone, phoneMessage } from '#core/values/phone.ts';
import type { Plan } from '#core/values/plan.ts';
import { isSlug, slugMessage } from '#core/values/slug.ts';
import { isThemeColour } from '#core/values/theme-colour.ts';
import { isTimeZone } from '#core/values/time-zone.ts';
import type { BrandBusiness, PublishBusinessContact, RegisterBusiness } from './commands.ts';

/** The most characters of the text under "About us". */
export const introLength = 300;
/** The widest area a business covers, in metres. */
export const maxRadius = 100_000;

/** A starter business shows no logo. */
export function allowsLogo(plan: Plan): boolean {
  return plan !== 'starter';
}

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

/** What is wrong with a public face, by field; `{}` when nothing is. */
export function brandingProblems({ slug, theme }: BrandBusiness['data']): Record<string, string> {
  return {
    ...(isSlug(slug) ? {} : { slug: slugMessage }),
    ...(isThemeColour(theme) ? {} : { theme: 'Choose one of the colours' }),
  };
}

/** What is wrong with published contact details, by field; `{}` when nothing is. */
export function contactProblems({ email, phone }: PublishBusinessContact['data']): Record<string, string> {
  return {
    ...(email === null || isEmail(email) ? {} : { email: emailMessage }),
    ...(phone === null || parsePhone(phone) === phone ? {} : { phone: phoneMessage }),
  };
}

import { businessNameLength } from '#core/values/business-details.ts';
import { isBusinessNumber } from '#core/values/business-number.ts';
import { maxEmailLength } from '#core/values/email.ts';
import { personNameLength } from '#core/values/person-name.ts';
import { lastStep, maxCoverageRadius, maxTrades } from '#core/values/registration-steps.ts';
import { findTrade, findTradeOfSpecialty } from '#core/values/trade-catalogue.ts';
import type { Answers } from './events.ts';

/** The most characters that a draft keeps of a text. */
const answerLengths = {
  tradingName: businessNameLength.max,
  name: personNameLength.max,
  phone: 40,
  email: maxEmailLength,
} as const;

/** What cannot be kept of a draft, by the field's path as the site sends it; `{}` when all can. Half-typed texts can. */
export function answerProblems(answers: Answers): Record<string, string> {
  const { tradingName, firstName, lastName, email, phone } = answers;
  return {
    ...tradeProblems(answers),
    ...entityProblems(answers),
    ...locationProblems(answers),
    ...tooLong('entity.tradingName', tradingName, answerLengths.tradingName),
    ...tooLong('user.firstName', firstName, answerLengths.name),
    ...tooLong('user.lastName', lastName, answerLengths.name),
    ...tooLong('verify.email', email, answerLengths.email),
    ...tooLong('verify.phone', phone, answerLengths.phone),
  };
}

/** Whether a step is one of the wizard's. */
export function isStep(step: number): boolean {
  return Number.isInteger(step) && step >= 0 && step <= lastStep;
}

function tradeProblems({ trades, specialties }: Answers): Record<string, string> {
  if (trades.length > maxTrades) return { trades: `You can select up to ${maxTrades} trades.` };
  if (new Set(trades).size < trades.length || trades.some((id) => findTrade(id) === undefined)) {
    return { trades: 'Choose from the list of trades' };
  }
  const ofChosen = (id: string) => trades.includes(findTradeOfSpecialty(id)?.id ?? '');
  if (new Set(specialties).size < specialties.length || !specialties.every(ofChosen)) {
    return { specialties: 'Choose from the specialties of your trades' };
  }
  return {};
}

function entityProblems({ entity }: Answers): Record<string, string> {
  if (entity === null) return {};
  if (!isBusinessNumber(entity.bn, entity.country)) return { 'entity.bn': 'Enter a valid business number' };
  return entity.registered ? {} : { 'entity.bn': 'This business is no longer registered' };
}

function locationProblems({ location: { lat, lng, radius, zoom } }: Answers): Record<string, string> {
  const onEarth = Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
  const fits = radius >= 0 && radius <= maxCoverageRadius && zoom >= 0 && zoom <= 22;
  return onEarth && fits ? {} : { location: 'Choose the area you cover' };
}

function tooLong(field: string, text: string, most: number): Record<string, string> {
  return text.length > most ? { [field]: `Use at most ${most} characters` } : {};
}

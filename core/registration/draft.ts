import { IllegalTransitionError, InvalidInputError } from '#core/kernel/errors.ts';
import { isBusinessNumber } from '#core/values/business.ts';
import { maxEmailLength, normaliseEmail } from '#core/values/contact.ts';
import { businessNameLength, personNameLength } from '#core/values/names.ts';
import {
  defaultLocation,
  furthestStep,
  lastStep,
  maxCoverageRadius,
  maxTrades,
  type StepAnswers,
} from '#core/values/registration-steps.ts';
import { countCharacters, tooLongMessage } from '#core/values/text.ts';
import { findTrade, findTradeOfSpecialty } from '#core/values/trade-catalogue.ts';
import { readPhone } from '#core/values/typed-phone.ts';
import type { Answers } from './events.ts';

/** A registration as far as it was typed, half-typed words included, and what the server found out about it. */
export type RegistrationDraft = Readonly<{
  /** The page of the wizard that was gone to. */
  step: number;
  answers: Answers;
  /** The email and the mobile (E.164) of the draft, once they are verified. */
  verifiedEmail: string | null;
  verifiedPhone: string | null;
  passwordSet: boolean;
}>;

/** Next or Back: the step to go to (null: none), what was answered since, and whether a password that keeps the rules came along. */
export type AnswersGiven = Readonly<{
  step: number | null;
  /** `entity` comes from the register and never from the browser. */
  answers: Partial<Answers>;
  choosesPassword: boolean;
}>;

export const unfinishedMessage = 'Please finish the steps before this one';
export const changedMessage = 'This was changed at the same moment. Please try again.';

export const noAnswers: Answers = {
  region: null,
  trades: [],
  specialties: [],
  entity: null,
  tradingName: '',
  firstName: '',
  lastName: '',
  location: defaultLocation,
  email: '',
  phone: '',
  subscribe: false,
  terms: false,
  showPhone: false,
};

export const emptyDraft: RegistrationDraft = {
  step: 0,
  answers: noAnswers,
  verifiedEmail: null,
  verifiedPhone: null,
  passwordSet: false,
};

/** The most characters that a draft stores of a text. */
const answerLengths = {
  tradingName: businessNameLength.max,
  name: personNameLength.max,
  phone: 40,
  email: maxEmailLength,
} as const;

/**
 * The draft with more answers; what was not answered stays. Throws InvalidInputError with fields for what cannot be stored,
 * and IllegalTransitionError for a step that lies behind one that is not done.
 */
export function saveAnswers(draft: RegistrationDraft, given: AnswersGiven): RegistrationDraft {
  const answers: Answers = { ...draft.answers, ...given.answers };
  const step = given.step ?? draft.step;
  const problems = { ...(isStep(step) ? {} : { step: 'There is no such step' }), ...answerProblems(answers) };
  if (Object.keys(problems).length > 0) {
    throw new InvalidInputError(Object.values(problems)[0] ?? '', problems);
  }
  const passwordSet = draft.passwordSet || given.choosesPassword;
  const saved = stillVerified({ ...draft, step, answers, passwordSet });
  // Back leads anywhere before, also from a draft whose earlier steps were undone.
  if (step > draft.step && step > furthestStep(stepAnswers(saved))) {
    throw new IllegalTransitionError(unfinishedMessage);
  }
  return saved;
}

/** The draft with an email (as `normaliseEmail` writes it) that was found to be no other account's. */
export function verifyEmail(draft: RegistrationDraft, email: string): RegistrationDraft {
  if (draft.verifiedEmail === email) return draft;
  return { ...draft, answers: { ...draft.answers, email }, verifiedEmail: email };
}

/** The draft with another mobile, in E.164: what was verified of the one before counts no more. */
export function changePhone(draft: RegistrationDraft, phone: string): RegistrationDraft {
  if (draft.answers.phone === phone || draft.verifiedPhone === phone) return draft;
  return { ...draft, answers: { ...draft.answers, phone }, verifiedPhone: null };
}

/** The draft whose mobile (E.164) a code came back from. Throws IllegalTransitionError when it names another one by now. */
export function verifyPhone(draft: RegistrationDraft, phone: string): RegistrationDraft {
  if (mobileOf(draft) !== phone) throw new IllegalTransitionError(changedMessage);
  return { ...draft, verifiedPhone: phone };
}

/** The draft's mobile however it is typed, in E.164; null for what is none. */
export function mobileOf({ answers: { phone, region } }: Pick<RegistrationDraft, 'answers'>): string | null {
  return readPhone(phone, region);
}

/** The draft as the rules of the steps read it. */
export function stepAnswers({ answers, ...found }: RegistrationDraft): StepAnswers {
  const { region, trades, specialties, entity, tradingName, firstName, lastName, email, phone, terms } =
    answers;
  return {
    region,
    trades,
    specialties,
    hasBusiness: entity?.country === region && (entity?.registered ?? false),
    tradingName,
    firstName,
    lastName,
    email,
    emailVerified: found.verifiedEmail !== null,
    phone,
    phoneVerified: found.verifiedPhone !== null,
    passwordSet: found.passwordSet,
    terms,
  };
}

/** Another email or mobile than the verified one takes the verification away, and going back does not return it. */
export function stillVerified(draft: RegistrationDraft): RegistrationDraft {
  const { verifiedEmail, verifiedPhone } = draft;
  return {
    ...draft,
    verifiedEmail: normaliseEmail(draft.answers.email) === verifiedEmail ? verifiedEmail : null,
    verifiedPhone: mobileOf(draft) === verifiedPhone ? verifiedPhone : null,
  };
}

/** Whether two answers or drafts say the same, in whatever order their fields stand. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.entries(value)
    .map(([key, item]) => [key, sorted(item)])
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
}

function isStep(step: number): boolean {
  return Number.isInteger(step) && step >= 0 && step <= lastStep;
}

/** What cannot be stored of a draft, by the field's path as the site sends it; `{}` when all can. Half-typed texts can. */
function answerProblems(answers: Answers): Record<string, string> {
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
  return countCharacters(text) > most ? { [field]: tooLongMessage(most) } : {};
}

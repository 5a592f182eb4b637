import { isEmail, normaliseEmail } from './contact.ts';
import { type Region, regionNames } from './region.ts';
import { phoneMessage, readPhone } from './typed-phone.ts';
import { namesAnAddress } from './web-address.ts';

/** The wizard's pages in their order; a step is a place in this list. */
export const stages = ['region', 'trades', 'bn', 'coverage', 'mobile', 'password', 'done'] as const;
export type Stage = (typeof stages)[number];

/** The last step: nothing is asked there, and it fills the progress bar. */
export const lastStep = stages.length - 1;

/** The most trades of one business. */
export const maxTrades = 3;

/** The area that a business covers before it chooses one: degrees, metres, and the map's zoom. */
export const defaultLocation = { lat: -26, lng: 135, radius: 15_000, zoom: 10 } as const;
/** The widest area, in metres. */
export const maxCoverageRadius = 100_000;

/** Digits of the code that confirms a mobile. */
export const smsCodeLength = 6;
export function isSmsCode(text: string): boolean {
  return /^\d{6}$/.test(text);
}

/** What is wrong with a typed mobile number, null when nothing is; `region` null: none is chosen yet. */
export function mobileProblem(text: string, region: Region | null): string | null {
  if (readPhone(text, region) !== null) return null;
  if (region === null) return phoneMessage;
  const example = { au: '0412 345 678', nz: '021 123 4567' }[region];
  return `Enter a mobile number of ${regionNames[region]}, such as ${example}`;
}

/** As much of a registration as its steps ask for. */
export type StepAnswers = Readonly<{
  region: Region | null;
  trades: readonly string[];
  specialties: readonly string[];
  /** Whether a business was found in the register. */
  hasBusiness: boolean;
  tradingName: string;
  firstName: string;
  lastName: string;
  email: string;
  /** This very email was found to be free. */
  emailVerified: boolean;
  phone: string;
  /** A code that was sent to this very phone came back. */
  phoneVerified: boolean;
  /** A password that keeps the rules is there. */
  passwordSet: boolean;
  terms: boolean;
}>;

const RULES: Record<Stage, (answers: StepAnswers) => boolean> = {
  region: () => true,
  trades: ({ trades, specialties }) => trades.length <= maxTrades && specialties.length > 0,
  bn: ({ hasBusiness, ...names }) =>
    hasBusiness &&
    [names.tradingName, names.firstName, names.lastName].every(
      (name) => name.trim() !== '' && !namesAnAddress(name),
    ),
  coverage: () => true,
  mobile: ({ email, emailVerified, phone, phoneVerified, region }) =>
    isEmail(normaliseEmail(email)) && emailVerified && readPhone(phone, region) !== null && phoneVerified,
  password: ({ passwordSet, terms }) => passwordSet && terms,
  done: () => true,
};

/** Whether Next may be pressed on a step. */
export function isStepDone(step: number, answers: StepAnswers): boolean {
  const stage = stages[step];
  return stage !== undefined && RULES[stage](answers);
}

/** The first step that keeps an applicant from going on: as far as they may go, and no further. */
export function furthestStep(answers: StepAnswers): number {
  const open = stages.findIndex((stage) => !RULES[stage](answers));
  return open === -1 ? lastStep : open;
}

/** What can be pressed. */
export type WizardButtons = 'Enabled' | 'NextDisabled' | 'BackDisabled' | 'Disabled';

/** Nothing can be pressed while the draft is saved, Back leads nowhere from the first step, and Next waits for the step's rule. */
export function wizardButtons(step: number, answers: StepAnswers, isSaving: boolean): WizardButtons {
  const next = !isSaving && step < lastStep && isStepDone(step, answers);
  const back = !isSaving && step > 0;
  if (next) return back ? 'Enabled' : 'BackDisabled';
  return back ? 'NextDisabled' : 'Disabled';
}

/** The page of a step; the first one's for a step that there is not. */
export function stageOf(step: number): Stage {
  return stages[step] ?? stages[0];
}

/** The step of a page's name; null for another name. */
export function stepOf(stage: string): number | null {
  const step = stages.indexOf(stage as Stage);
  return step === -1 ? null : step;
}

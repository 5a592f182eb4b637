import type { Command, Decider } from '#core/kernel/decider.ts';
import { IllegalTransitionError, NotFoundError } from '#core/kernel/errors.ts';
import type { Plan } from '#core/values/product.ts';
import { furthestStep, isStepDone, lastStep, stages } from '#core/values/registration-steps.ts';
import { singleLine } from '#core/values/text.ts';
import { changedMessage, isSame, type RegistrationDraft, stepAnswers, unfinishedMessage } from './draft.ts';
import { type Answers, isRegistrationEvent, type RegistrationEvent } from './events.ts';
import { evolveRegistration, type RegistrationState } from './state.ts';

const TRADES = stages.indexOf('trades');
const BUSINESS = stages.indexOf('bn');

/** The way of a prospect from the first question to an account. */
export const registrationDecider: Decider<RegistrationState, RegistrationCommand, RegistrationEvent> = {
  decide: decideRegistration,
  evolve: evolveRegistration,
  initialState: null,
  owns: isRegistrationEvent,
};

/**
 * What a draft has done and its registration does not tell yet: the answers of each step that is done, in the order of the
 * steps, and what was verified. Half-typed answers are no milestone.
 */
export function missingMilestones(
  { registrationId, recorded }: NonNullable<RegistrationState>,
  draft: RegistrationDraft,
  at: string,
): RegistrationEvent[] {
  const { answers, verifiedEmail, verifiedPhone } = draft;
  const { region, trades, specialties, entity, subscribe, terms } = answers;
  const done = stepAnswers(draft);
  const events: RegistrationEvent[] = [];
  if (region !== null && region !== recorded.answers.region) {
    events.push({ type: 'RegistrationRegionChosen', data: { registrationId, region, chosenAt: at } });
  }
  if (isStepDone(TRADES, done) && !isSame(tradesOf(answers), tradesOf(recorded.answers))) {
    const data = { registrationId, trades, specialties, chosenAt: at };
    events.push({ type: 'RegistrationTradesChosen', data });
  }
  const names = namesOf(answers);
  if (
    isStepDone(BUSINESS, done) &&
    entity !== null &&
    !isSame([entity, names], [recorded.answers.entity, namesOf(recorded.answers)])
  ) {
    const data = { registrationId, entity, ...names, identifiedAt: at };
    events.push({ type: 'RegistrationBusinessIdentified', data });
  }
  const coverage = coverageOf(answers);
  if (!isSame(coverage, coverageOf(recorded.answers))) {
    events.push({ type: 'RegistrationAreaSet', data: { registrationId, coverage, setAt: at } });
  }
  if (verifiedEmail !== null && verifiedEmail !== recorded.verifiedEmail) {
    const data = { registrationId, email: verifiedEmail, verifiedAt: at };
    events.push({ type: 'RegistrationEmailVerified', data });
  }
  if (verifiedPhone !== null && verifiedPhone !== recorded.verifiedPhone) {
    const data = { registrationId, phone: verifiedPhone, verifiedAt: at };
    events.push({ type: 'RegistrationPhoneVerified', data });
  }
  if (draft.passwordSet && !recorded.passwordSet) {
    events.push({ type: 'RegistrationPasswordChosen', data: { registrationId, chosenAt: at } });
  }
  if (terms && !(recorded.answers.terms && recorded.answers.subscribe === subscribe)) {
    events.push({ type: 'RegistrationTermsAccepted', data: { registrationId, subscribe, acceptedAt: at } });
  }
  return events;
}

function tradesOf({ trades, specialties }: Answers) {
  return { trades, specialties };
}

/** Names as they are shown: on one line. */
function namesOf({ tradingName, firstName, lastName }: Answers) {
  return {
    tradingName: singleLine(tradingName),
    firstName: singleLine(firstName),
    lastName: singleLine(lastName),
  };
}

/** Degrees and metres, without the map's zoom. */
function coverageOf({ location: { lat, lng, radius } }: Answers) {
  return { lat, lng, radius };
}

function decideRegistration(command: RegistrationCommand, state: RegistrationState): RegistrationEvent[] {
  switch (command.type) {
    case 'StartRegistration':
      return startRegistration(command, state);
    case 'RecordMilestones':
      return recordMilestones(command, state);
    case 'CompleteRegistration':
      return completeRegistration(command, state);
    default:
      return command satisfies never;
  }
}

function startRegistration({ data, at }: StartRegistration, state: RegistrationState): RegistrationEvent[] {
  return state === null ? [{ type: 'RegistrationStarted', data: { ...data, startedAt: at } }] : [];
}

function recordMilestones({ data, at }: RecordMilestones, state: RegistrationState): RegistrationEvent[] {
  return missingMilestones(openRegistration(data.registrationId, state), data.draft, at);
}

function completeRegistration(
  { data: { draft, ...data }, at }: CompleteRegistration,
  state: RegistrationState,
): RegistrationEvent[] {
  if (state?.registrationId === data.registrationId && state.completed !== null) return [];
  const registration = openRegistration(data.registrationId, state);
  const { region, entity, trades, specialties, subscribe, showPhone } = draft.answers;
  const done = region !== null && furthestStep(stepAnswers(draft)) === lastStep;
  if (!done || entity === null) throw new IllegalTransitionError(unfinishedMessage);
  const isOwn = data.email === draft.verifiedEmail && data.phone === draft.verifiedPhone;
  // A milestone that the log tells otherwise is of a change that this draft does not know yet.
  if (!isOwn || missingMilestones(registration, draft, at).length > 0) {
    throw new IllegalTransitionError(changedMessage);
  }
  const { bn, name } = entity;
  const completed = {
    ...data,
    region,
    plan: registration.plan,
    trades,
    specialties,
    bn,
    name,
    subscribe,
    showPhone,
    ...namesOf(draft.answers),
    coverage: coverageOf(draft.answers),
    completedAt: at,
  };
  return [{ type: 'RegistrationCompleted', data: completed }];
}

/** The same refusal for one that is not there and one that is over: an old secret tells nothing. */
function openRegistration(registrationId: string, state: RegistrationState): NonNullable<RegistrationState> {
  if (state === null || state.registrationId !== registrationId || state.completed !== null) {
    throw new NotFoundError('Registration not found');
  }
  return state;
}

type Of = Readonly<{ registrationId: string }>;

type StartRegistration = Command<'StartRegistration', Of & { plan: Plan }>;

/** Records what the draft has done by now and the log does not tell yet. */
export type RecordMilestones = Command<'RecordMilestones', Of & { draft: RegistrationDraft }>;

/** `email`, `phone` and `slug` are reserved for the account; the rest is found from the draft, of which every milestone is recorded. */
export type CompleteRegistration = Command<
  'CompleteRegistration',
  Of &
    Pick<
      RegistrationEvent<'RegistrationCompleted'>['data'],
      'accountId' | 'businessId' | 'email' | 'phone' | 'slug' | 'tagline' | 'timeZone'
    > & { draft: RegistrationDraft }
>;

export type RegistrationCommand = StartRegistration | RecordMilestones | CompleteRegistration;

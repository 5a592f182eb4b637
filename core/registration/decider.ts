import type { Decider } from '#core/kernel/decider.ts';
import { IllegalTransitionError, InvalidInputError, NotFoundError } from '#core/kernel/errors.ts';
import { parsePhone } from '#core/values/phone.ts';
import { furthestStep, lastStep } from '#core/values/registration-steps.ts';
import { singleLine } from '#core/values/text.ts';
import type {
  ChangeRegistrationPhone,
  CompleteRegistration,
  RegistrationCommand,
  SaveRegistration,
  StartRegistration,
  VerifyRegistrationEmail,
  VerifyRegistrationPhone,
} from './commands.ts';
import { type Answers, isRegistrationEvent, type RegistrationEvent } from './events.ts';
import { answerProblems, isStep } from './rules.ts';
import { evolveRegistration, type RegistrationState, stepAnswers } from './state.ts';

export const unfinishedMessage = 'Please finish the steps before this one';
const changedMessage = 'This was changed at the same moment. Please try again.';

/** Somebody's way from the first question to an account of their own. */
export const registrationDecider: Decider<RegistrationState, RegistrationCommand, RegistrationEvent> = {
  decide: decideRegistration,
  evolve: evolveRegistration,
  initialState: null,
  owns: isRegistrationEvent,
};

function decideRegistration(command: RegistrationCommand, state: RegistrationState): RegistrationEvent[] {
  switch (command.type) {
    case 'StartRegistration':
      return startRegistration(command, state);
    case 'SaveRegistration':
      return saveRegistration(command, state);
    case 'VerifyRegistrationEmail':
      return verifyEmail(command, state);
    case 'ChangeRegistrationPhone':
      return changePhone(command, state);
    case 'VerifyRegistrationPhone':
      return verifyPhone(command, state);
    case 'CompleteRegistration':
      return completeRegistration(command, state);
    default:
      return command satisfies never;
  }
}

function startRegistration({ data, at }: StartRegistration, state: RegistrationState): RegistrationEvent[] {
  return state === null ? [{ type: 'RegistrationStarted', data: { ...data, startedAt: at } }] : [];
}

function saveRegistration({ data, at }: SaveRegistration, state: RegistrationState): RegistrationEvent[] {
  const { registrationId, choosesPassword } = data;
  const before = openRegistration(registrationId, state);
  const answers: Answers = { ...before.answers, ...data.answers };
  const step = data.step ?? before.step;
  const problems = { ...(isStep(step) ? {} : { step: 'There is no such step' }), ...answerProblems(answers) };
  if (Object.keys(problems).length > 0) {
    throw new InvalidInputError(Object.values(problems)[0] ?? '', problems);
  }
  const events: RegistrationEvent[] = [];
  if (choosesPassword && !before.passwordSet) {
    events.push({ type: 'RegistrationPasswordChosen', data: { registrationId, chosenAt: at } });
  }
  if (step !== before.step || !isSame(answers, before.answers)) {
    events.push({ type: 'RegistrationSaved', data: { registrationId, step, ...answers, savedAt: at } });
  }
  const after = openRegistration(registrationId, events.reduce(evolveRegistration, state));
  // Back leads anywhere before, also from a draft whose earlier steps were undone.
  if (step > before.step && step > furthestStep(stepAnswers(after))) {
    throw new IllegalTransitionError(unfinishedMessage);
  }
  return events;
}

function verifyEmail({ data, at }: VerifyRegistrationEmail, state: RegistrationState): RegistrationEvent[] {
  const { verifiedEmail } = openRegistration(data.registrationId, state);
  if (verifiedEmail === data.email) return [];
  return [{ type: 'RegistrationEmailVerified', data: { ...data, verifiedAt: at } }];
}

function changePhone({ data, at }: ChangeRegistrationPhone, state: RegistrationState): RegistrationEvent[] {
  const { answers, verifiedPhone } = openRegistration(data.registrationId, state);
  if (answers.phone === data.phone || verifiedPhone === data.phone) return [];
  return [{ type: 'RegistrationPhoneChanged', data: { ...data, changedAt: at } }];
}

function verifyPhone({ data, at }: VerifyRegistrationPhone, state: RegistrationState): RegistrationEvent[] {
  const { answers, verifiedPhone } = openRegistration(data.registrationId, state);
  if (verifiedPhone === data.phone) return [];
  // The code is for the mobile it was sent to, which may no longer be the draft's.
  if (parsePhone(answers.phone, answers.region ?? undefined) !== data.phone) {
    throw new IllegalTransitionError(changedMessage);
  }
  return [{ type: 'RegistrationPhoneVerified', data: { ...data, verifiedAt: at } }];
}

function completeRegistration(
  { data, at }: CompleteRegistration,
  state: RegistrationState,
): RegistrationEvent[] {
  if (state?.registrationId === data.registrationId && state.completed !== null) return [];
  const registration = openRegistration(data.registrationId, state);
  const { answers, plan, verifiedEmail, verifiedPhone } = registration;
  const { region, entity, trades, specialties, subscribe, location } = answers;
  const done = region !== null && furthestStep(stepAnswers(registration)) === lastStep;
  if (!done || entity === null) throw new IllegalTransitionError(unfinishedMessage);
  if (data.email !== verifiedEmail || data.phone !== verifiedPhone) {
    throw new IllegalTransitionError(changedMessage);
  }
  const { lat, lng, radius } = location;
  const names = {
    tradingName: singleLine(answers.tradingName),
    firstName: singleLine(answers.firstName),
    lastName: singleLine(answers.lastName),
  };
  const found = { region, plan, trades, specialties, bn: entity.bn, name: entity.name, subscribe };
  const completed = { ...data, ...found, ...names, coverage: { lat, lng, radius }, completedAt: at };
  return [{ type: 'RegistrationCompleted', data: completed }];
}

/** The same refusal for one that is not there and one that is over: who holds an old secret learns nothing. */
function openRegistration(registrationId: string, state: RegistrationState): NonNullable<RegistrationState> {
  if (state === null || state.registrationId !== registrationId || state.completed !== null) {
    throw new NotFoundError('Registration not found');
  }
  return state;
}

function isSame(a: Answers, b: Answers): boolean {
  return JSON.stringify(inOrder(a)) === JSON.stringify(inOrder(b));
}

function inOrder(answers: Answers): unknown[] {
  const { entity, location, ...rest } = answers;
  return [rest, entity, location].map((part) => part && Object.entries(part).sort());
}

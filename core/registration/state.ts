import { normaliseEmail } from '#core/values/email.ts';
import { parsePhone } from '#core/values/phone.ts';
import type { Plan } from '#core/values/plan.ts';
import { defaultLocation, type StepAnswers } from '#core/values/registration-steps.ts';
import type { Answers, RegistrationEvent } from './events.ts';

/** A registration as it stands; null before it began. */
export type RegistrationState = Readonly<{
  registrationId: string;
  plan: Plan;
  step: number;
  answers: Answers;
  /** The email and the mobile (E.164) of the draft, once they are verified. */
  verifiedEmail: string | null;
  verifiedPhone: string | null;
  passwordSet: boolean;
  completed: RegistrationEvent<'RegistrationCompleted'>['data'] | null;
}> | null;

export const noAnswers: Answers = {
  ...{ region: null, trades: [], specialties: [], entity: null },
  ...{ tradingName: '', firstName: '', lastName: '', location: defaultLocation },
  ...{ email: '', phone: '', subscribe: false, terms: false },
};

/** The registration after one more fact. */
export function evolveRegistration(state: RegistrationState, event: RegistrationEvent): RegistrationState {
  if (event.type === 'RegistrationStarted') return state ?? started(event.data);
  if (state === null) return null;
  switch (event.type) {
    case 'RegistrationSaved': {
      const { registrationId: _, savedAt: __, step, ...answers } = event.data;
      return stillVerified({ ...state, step, answers });
    }
    case 'RegistrationEmailVerified': {
      const { email } = event.data;
      return { ...state, answers: { ...state.answers, email }, verifiedEmail: email };
    }
    case 'RegistrationPhoneChanged': {
      const { phone } = event.data;
      return { ...state, answers: { ...state.answers, phone }, verifiedPhone: null };
    }
    case 'RegistrationPhoneVerified':
      return { ...state, verifiedPhone: event.data.phone };
    case 'RegistrationPasswordChosen':
      return { ...state, passwordSet: true };
    case 'RegistrationCompleted':
      return { ...state, completed: event.data };
    default:
      return state;
  }
}

/** The draft as the rules of the steps read it. */
export function stepAnswers(state: NonNullable<RegistrationState>): StepAnswers {
  const { region, trades, specialties, entity, tradingName, firstName, lastName, email, phone, terms } =
    state.answers;
  return {
    ...{ region, trades, specialties, tradingName, firstName, lastName, email, phone, terms },
    hasBusiness: entity?.country === region && (entity?.registered ?? false),
    emailVerified: state.verifiedEmail !== null,
    phoneVerified: state.verifiedPhone !== null,
    passwordSet: state.passwordSet,
  };
}

/** Another email or mobile than the verified one takes the verification away, and going back does not return it. */
function stillVerified(state: NonNullable<RegistrationState>): NonNullable<RegistrationState> {
  const { email, phone, region } = state.answers;
  const sameEmail = normaliseEmail(email) === state.verifiedEmail;
  const samePhone = parsePhone(phone, region ?? undefined) === state.verifiedPhone;
  return {
    ...state,
    verifiedEmail: sameEmail ? state.verifiedEmail : null,
    verifiedPhone: samePhone ? state.verifiedPhone : null,
  };
}

function started({ registrationId, plan }: { registrationId: string; plan: Plan }): RegistrationState {
  return {
    ...{ registrationId, plan, step: 0, answers: noAnswers },
    ...{ verifiedEmail: null, verifiedPhone: null, passwordSet: false, completed: null },
  };
}

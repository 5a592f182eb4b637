import type { Plan } from '#core/values/product.ts';
import { emptyDraft, mobileOf, type RegistrationDraft } from './draft.ts';
import type { RegistrationEvent } from './events.ts';

/** A registration as its events tell it; null before it began. */
export type RegistrationState = Readonly<{
  registrationId: string;
  plan: Plan;
  /** What was recorded of the draft: the newest of each milestone. */
  recorded: RegistrationDraft;
  completed: RegistrationEvent<'RegistrationCompleted'>['data'] | null;
}> | null;

/** The registration after one more event. */
export function evolveRegistration(state: RegistrationState, event: RegistrationEvent): RegistrationState {
  if (event.type === 'RegistrationStarted') {
    const { registrationId, plan } = event.data;
    return state ?? { registrationId, plan, recorded: emptyDraft, completed: null };
  }
  if (state === null) return null;
  if (event.type === 'RegistrationCompleted') return { ...state, completed: event.data };
  return { ...state, recorded: evolveDraft(state.recorded, event) };
}

function evolveDraft(
  draft: RegistrationDraft,
  event: Exclude<RegistrationEvent, { type: 'RegistrationStarted' | 'RegistrationCompleted' }>,
): RegistrationDraft {
  const { answers } = draft;
  switch (event.type) {
    case 'RegistrationRegionChosen':
      return { ...draft, answers: { ...answers, region: event.data.region } };
    case 'RegistrationTradesChosen': {
      const { trades, specialties } = event.data;
      return { ...draft, answers: { ...answers, trades, specialties } };
    }
    case 'RegistrationBusinessIdentified': {
      const { entity, tradingName, firstName, lastName } = event.data;
      return { ...draft, answers: { ...answers, entity, tradingName, firstName, lastName } };
    }
    case 'RegistrationAreaSet': {
      const location = { ...event.data.coverage, zoom: answers.location.zoom };
      return { ...draft, answers: { ...answers, location } };
    }
    case 'RegistrationEmailVerified': {
      const { email } = event.data;
      return { ...draft, answers: { ...answers, email }, verifiedEmail: email };
    }
    case 'RegistrationPhoneVerified': {
      const { phone } = event.data;
      const isNamed = mobileOf(draft) === phone;
      return { ...draft, answers: isNamed ? answers : { ...answers, phone }, verifiedPhone: phone };
    }
    case 'RegistrationPasswordChosen':
      return { ...draft, passwordSet: true };
    case 'RegistrationTermsAccepted':
      return { ...draft, answers: { ...answers, terms: true, subscribe: event.data.subscribe } };
    default:
      return draft;
  }
}

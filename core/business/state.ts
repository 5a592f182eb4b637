import type { BusinessEvent } from './events.ts';

type Branding = Pick<BusinessEvent<'BusinessBranded'>['data'], 'slug' | 'theme' | 'logo'>;
type Contact = Pick<BusinessEvent<'BusinessContactPublished'>['data'], 'phone' | 'email'>;

/** A business as registered, with its public face; null before it came to Ute. */
export type BusinessState =
  | (Omit<BusinessEvent<'BusinessRegistered'>['data'], 'registeredAt'> &
      Readonly<{ branding: Branding | null; intro: string; contact: Contact }>)
  | null;

/** The business after one more fact. */
export function evolveBusiness(state: BusinessState, event: BusinessEvent): BusinessState {
  if (event.type === 'BusinessRegistered') return state ?? registered(event);
  if (state === null) return null;
  switch (event.type) {
    case 'BusinessDetailsChanged': {
      const { bn, name, tradingName } = event.data;
      return { ...state, bn, name, tradingName };
    }
    case 'PlanChanged':
      return { ...state, plan: event.data.plan };
    case 'BusinessBranded': {
      const { slug, theme, logo } = event.data;
      return { ...state, branding: { slug, theme, logo } };
    }
    case 'BusinessIntroduced':
      return { ...state, intro: event.data.intro };
    case 'BusinessContactPublished': {
      const { phone, email } = event.data;
      return { ...state, contact: { phone, email } };
    }
    default:
      return state;
  }
}

function registered({ data }: BusinessEvent<'BusinessRegistered'>): BusinessState {
  const { registeredAt: _, ...business } = data;
  return { ...business, branding: null, intro: '', contact: { phone: null, email: null } };
}

import { defaultLocation } from '#core/values/registration-steps.ts';
import type { Registration } from './registration.ts';

/** A registration that has just begun. */
export const aRegistration: Registration = {
  step: 0,
  type: 'starter',
  region: 'au',
  trades: [],
  specialties: [],
  entity: null,
  user: { firstName: '', lastName: '' },
  location: defaultLocation,
  verify: {
    ...{ email: '', emailVerified: false, phone: '', phoneVerified: false },
    ...{ passwordSet: false, showPhone: false, subscribe: false, terms: false },
  },
};

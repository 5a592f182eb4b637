import { type } from 'arktype';
import type {
  RegistrationCompleted,
  RegistrationEmailVerified,
  RegistrationEvent,
  RegistrationPasswordChosen,
  RegistrationPhoneChanged,
  RegistrationPhoneVerified,
  RegistrationSaved,
  RegistrationStarted,
} from '#core/registration/events.ts';
import { plans } from '#core/values/plan.ts';
import { regions } from '#core/values/region.ts';
import {
  ERASED,
  ERASED_AREA,
  type EventVersions,
  id,
  instant,
  type Plain,
  sameShape,
} from './event-version.ts';

const region = type.enumerated(...regions);
const plan = type.enumerated(...plans);

const RegistrationStarted1 = type
  .declare<Plain<RegistrationStarted['data']>>()
  .type({ registrationId: id, plan, startedAt: instant })
  .onDeepUndeclaredKey('reject');

const RegistrationSaved1 = type
  .declare<Plain<RegistrationSaved['data']>>()
  .type({
    registrationId: id,
    step: 'number',
    region: type.enumerated(...regions, null),
    trades: 'string[]',
    specialties: 'string[]',
    entity: type({
      bn: 'string',
      name: 'string',
      country: region,
      registered: 'boolean',
      status: 'string',
      postcode: 'string | null',
    }).or('null'),
    tradingName: 'string',
    firstName: 'string',
    lastName: 'string',
    location: { lat: 'number', lng: 'number', radius: 'number', zoom: 'number' },
    email: 'string',
    phone: 'string',
    subscribe: 'boolean',
    terms: 'boolean',
    savedAt: instant,
  })
  .onDeepUndeclaredKey('reject');

const RegistrationEmailVerified1 = type
  .declare<Plain<RegistrationEmailVerified['data']>>()
  .type({ registrationId: id, email: 'string', verifiedAt: instant })
  .onDeepUndeclaredKey('reject');

const RegistrationPhoneChanged1 = type
  .declare<Plain<RegistrationPhoneChanged['data']>>()
  .type({ registrationId: id, phone: 'string', changedAt: instant })
  .onDeepUndeclaredKey('reject');

const RegistrationPhoneVerified1 = type
  .declare<Plain<RegistrationPhoneVerified['data']>>()
  .type({ registrationId: id, phone: 'string', verifiedAt: instant })
  .onDeepUndeclaredKey('reject');

const RegistrationPasswordChosen1 = type
  .declare<Plain<RegistrationPasswordChosen['data']>>()
  .type({ registrationId: id, chosenAt: instant })
  .onDeepUndeclaredKey('reject');

const RegistrationCompleted1 = type
  .declare<Plain<RegistrationCompleted['data']>>()
  .type({
    registrationId: id,
    accountId: id,
    businessId: id,
    region,
    plan,
    trades: 'string[]',
    specialties: 'string[]',
    bn: 'string',
    name: 'string',
    tradingName: 'string',
    tagline: 'string',
    firstName: 'string',
    lastName: 'string',
    email: 'string',
    phone: 'string',
    coverage: { lat: 'number', lng: 'number', radius: 'number' },
    timeZone: 'string',
    slug: 'string',
    subscribe: 'boolean',
    completedAt: instant,
  })
  .onDeepUndeclaredKey('reject');

const draft = (data: { registrationId: string }) => `registration-${data.registrationId}`;
const account = (data: { accountId: string }) => `account-${data.accountId}`;

const saved = {
  ...{ entity: null, tradingName: ERASED, firstName: ERASED, lastName: ERASED },
  ...{ email: ERASED, phone: ERASED },
} as const;
const completed = {
  ...{ bn: ERASED, name: ERASED, tradingName: ERASED, tagline: ERASED },
  ...{ firstName: ERASED, lastName: ERASED, email: ERASED, phone: ERASED },
} as const;

/**
 * A registration's events. What a draft says of a person is sealed under the draft's own key, so that one nobody comes
 * back to can be forgotten; once completed, it is the account's. First versions have the area and the address of the page
 * in the clear.
 */
export const registrationEvents = {
  RegistrationStarted: [{ schema: RegistrationStarted1 }],
  RegistrationSaved: [
    { schema: RegistrationSaved1, personal: { subject: draft, erased: saved }, upcast: sameShape },
    {
      schema: RegistrationSaved1,
      personal: { subject: draft, erased: { ...saved, location: { ...ERASED_AREA, zoom: 0 } } },
    },
  ],
  RegistrationEmailVerified: [
    { schema: RegistrationEmailVerified1, personal: { subject: draft, erased: { email: ERASED } } },
  ],
  RegistrationPhoneChanged: [
    { schema: RegistrationPhoneChanged1, personal: { subject: draft, erased: { phone: ERASED } } },
  ],
  RegistrationPhoneVerified: [
    { schema: RegistrationPhoneVerified1, personal: { subject: draft, erased: { phone: ERASED } } },
  ],
  RegistrationPasswordChosen: [{ schema: RegistrationPasswordChosen1 }],
  RegistrationCompleted: [
    { schema: RegistrationCompleted1, personal: { subject: account, erased: completed }, upcast: sameShape },
    {
      schema: RegistrationCompleted1,
      personal: { subject: account, erased: { ...completed, coverage: ERASED_AREA, slug: ERASED } },
    },
  ],
} as const satisfies {
  [T in RegistrationEvent['type']]: EventVersions<Extract<RegistrationEvent, { type: T }>>;
};

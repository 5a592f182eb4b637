import { type } from 'arktype';
import { regions } from '#core/values/region.ts';

/** Longer than any answer may be: such a text is refused unread. */
const text = type('string <= 1000');
const id = type('string <= 100');
/** What the server itself found out may be sent back, as they came, and change nothing. */
const ignored = type('unknown');

const Entity = type({
  '+': 'reject',
  'bn?': text,
  'tradingName?': text,
  'firstName?': text.or('null'),
  'lastName?': text.or('null'),
  'name?': ignored,
  'postcode?': ignored,
  'registered?': ignored,
  'status?': ignored,
  'country?': ignored,
});

const Location = type({
  '+': 'reject',
  lat: 'number',
  lng: 'number',
  radius: 'number',
  'zoom?': 'number',
});

const Verify = type({
  '+': 'reject',
  'email?': text,
  'phone?': text,
  'password?': text,
  'showPhone?': 'boolean',
  'subscribe?': 'boolean',
  'terms?': 'boolean',
  'emailVerified?': ignored,
  'phoneVerified?': ignored,
  'passwordSet?': ignored,
});

/** What Next and Back send: the step that is gone to, and what was answered. */
export const DraftBody = type({
  '+': 'reject',
  'step?': 'number.integer',
  'region?': type.enumerated(...regions, null),
  'trades?': id.array().atMostLength(50),
  'specialties?': id.array().atMostLength(400),
  'entity?': Entity.or('null'),
  'user?': type({ '+': 'reject', 'firstName?': text, 'lastName?': text }),
  'location?': Location,
  'verify?': Verify,
  'rid?': ignored,
  'type?': ignored,
  'complete?': ignored,
});
export type DraftBody = typeof DraftBody.infer;

export const StartBody = type({ '+': 'reject', 'plan?': 'string <= 40 | number' }).or('null');
/** Where nothing is sent. */
export const NoBody = type({ '+': 'reject' }).or('null');
export const EmailBody = type({ '+': 'reject', email: text });
export const PhoneBody = type({ '+': 'reject', phone: text });
export const CodeBody = type({ '+': 'reject', code: text });
export const BusinessBody = type({ '+': 'reject', bn: text, 'r?': type.enumerated(...regions) });

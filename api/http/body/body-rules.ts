import { logoUpload } from '#core/values/uploads.ts';

/** What a route takes: `unread` leaves the bytes to it, to be read (`readUpload`) once it knows that they are wanted. */
export type BodyRule = Readonly<
  { kind: 'json' | 'form'; limit: number; tooLarge: string } | { kind: 'unread' }
>;

/** Bytes of a body, for every route that does not say otherwise. */
export const BODY_LIMIT = 64 * 1024;
/** A logo as text, with what stands around it. */
const BRANDING_LIMIT = Math.ceil((logoUpload.bytes * 4) / 3) + BODY_LIMIT;

export const bodyTooLarge = 'That is more than we can take at once';

const own: readonly (readonly [method: string, path: RegExp, rule: BodyRule])[] = [
  [
    'PUT',
    /^\/api\/settings\/branding\/?$/,
    { kind: 'json', limit: BRANDING_LIMIT, tooLarge: logoUpload.tooLarge },
  ],
  ['POST', /^\/api\/public-forms\/[^/]+\/media\/?$/, { kind: 'unread' }],
  ['PUT', /^\/api\/jobs\/[^/]+\/photos\/[^/]+\/?$/, { kind: 'unread' }],
  ['POST', /^\/t\/[^/]+\/?$/, { kind: 'unread' }],
  // Mail programs send either kind of form.
  ['POST', /^\/unsubscribe\/[^/]+\/?$/, { kind: 'unread' }],
];

/** What a route takes: JSON below `/api`, forms elsewhere. */
export function bodyRule(method: string, pathname: string, api: boolean): BodyRule {
  const rule = own.find((one) => one[0] === method && one[1].test(pathname))?.[2];
  return rule ?? { kind: api ? 'json' : 'form', limit: BODY_LIMIT, tooLarge: bodyTooLarge };
}

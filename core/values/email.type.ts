import { type } from 'arktype';
import { emailMessage, isEmail, normaliseEmail } from './email.ts';

/** An address as a person types it; pass it through `normaliseEmail` before it is stored or compared. */
export const Email = type('string').narrow(
  (text, ctx) => isEmail(normaliseEmail(text)) || ctx.reject({ message: emailMessage }),
);
export type Email = typeof Email.infer;

import { type } from 'arktype';
import { parsePhone, phoneMessage } from './phone.ts';

/** A mobile number as a person types it; pass it through `parsePhone` before it is stored or compared. */
export const Phone = type('string').narrow(
  (text, ctx) => parsePhone(text) !== null || ctx.reject({ message: phoneMessage }),
);
export type Phone = typeof Phone.infer;

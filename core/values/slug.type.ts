import { type } from 'arktype';
import { isSlug, normaliseSlug, slugMessage } from './slug.ts';

/** A public address as a person types it; pass it through `normaliseSlug` before it is stored or compared. */
export const Slug = type('string').narrow(
  (text, ctx) => isSlug(normaliseSlug(text)) || ctx.reject({ message: slugMessage }),
);
export type Slug = typeof Slug.infer;

import { type Type, type } from 'arktype';
import type { Event } from '#core/kernel/event.ts';

/** The same shape without `readonly`: what a schema infers. */
export type Plain<T> = T extends readonly (infer Item)[]
  ? Plain<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Plain<T[Key]> }
    : T;

/** One version of an event type, as it was or is written. `upcast` stands on all but the newest. */
export type EventVersion<Data extends object = Record<string, unknown>> = Readonly<{
  /** Refuses fields that it does not declare: an undeclared one could be personal, and would be stored in the clear. */
  schema: Type<Plain<Data>>;
  /** Absent when no field is personal. */
  personal?: PersonalFields<Data>;
  /** To the next version: pure, total on whatever `schema` lets through. Absent on the newest. */
  upcast?: (data: Data) => object;
}>;

/** Which fields are sealed, under whose key, and what they read as once that key is destroyed. */
export type PersonalFields<Data extends object> = Readonly<{
  subject: (data: Data) => string;
  erased: Readonly<Partial<Data>>;
}>;

/** A version that is read and written no more, in its own shape, and its way to the next one. */
type EarlierVersion = Readonly<{
  schema: type.Any;
  personal?: Readonly<{ subject: (data: never) => string; erased: Readonly<Record<string, unknown>> }>;
  upcast: (data: never) => object;
}>;

/** All versions of one type, oldest first: version n stands at n - 1, and the last one is what the product speaks. */
export type EventVersions<E extends Event> = readonly [...EarlierVersion[], EventVersion<E['data']>];

/** The way to a version of the same shape, of which other fields are sealed. */
export const sameShape = (data: object): object => data;

/** What an erased text reads as. */
export const ERASED = '[erased]';

/** What an erased area reads as: degrees and metres of none. */
export const ERASED_AREA = { lat: 0, lng: 0, radius: 0 } as const;

/** An instant in ISO 8601. */
export const instant = type('string.date.iso');

/** A key of ours: letters, digits, dashes. Nothing that a person typed. */
export const id = type(/^[A-Za-z0-9][A-Za-z0-9-]{0,99}$/);

import { type Type, type } from 'arktype';

/** What happened: past tense, noun first. `data` is plain JSON (ISO strings, never Date). */
export type Event<Type extends string = string, Data extends object = object> = Readonly<{
  type: Type;
  data: Readonly<Data>;
}>;

/** One version of an event's data, as it was or is written. */
export type EventVersion<Data = Record<string, unknown>> = Readonly<{
  /** Refuses fields that it does not declare: an undeclared one could be personal, and would be stored in the clear. */
  schema: Type<object>;
  /** Absent when no field is personal. */
  personal?: PersonalFields<Data>;
  /** To the next version: pure, total on whatever `schema` accepts. Absent on the newest. */
  upcast?: (data: Data) => object;
}>;

/** Which fields are sealed, under whose key, and what they read as once that key is destroyed. */
export type PersonalFields<Data> = Readonly<{
  subject: (data: Data) => string;
  erased: Readonly<Partial<Data>>;
}>;

/** An event type. `versions` has the oldest first: version n stands at n - 1, and `Data` is what the last one holds. */
export type DeclaredEvent<Data = unknown> = Readonly<{
  versions: readonly EventVersion[];
  /** For the compiler alone: no declaration has a value there. */
  infer?: Data;
}>;

/** The events of an aggregate, by type. */
export type DeclaredEvents = Readonly<Record<string, DeclaredEvent>>;

/** The event of one declared type, or the union of all: what reading gives. */
export type EventOf<D extends DeclaredEvents, T extends keyof D = keyof D> = {
  [Name in T & string]: Event<Name, Frozen<NonNullable<D[Name]['infer']>> & object>;
}[T & string];

/** The same shape, read-only all the way down. */
export type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

/** An instant in ISO 8601. */
export const instant = type('string.date.iso');

/** A key of ours: letters, digits, dashes. Nothing that a person typed. */
export const id = type('string').matching(/^[A-Za-z0-9][A-Za-z0-9-]{0,99}$/);

/**
 * Declares an event: its data as an arktype definition of plain JSON, which of it is personal, and the versions before it,
 * oldest first.
 */
export function event<const Def>(
  data: type.validate<Def>,
  { earlier = [], ...options }: Readonly<{ earlier?: readonly EventVersion[] }> & Sealing<Def> = {},
): DeclaredEvent<type.infer<Def>> {
  return { versions: [...earlier, version(data, options)] };
}

/** Declares a version that is read and written no more, and the way to the next one. */
export function earlierVersion<const Def>(
  data: type.validate<Def>,
  options: Readonly<{ upcast: (data: type.infer<Def>) => object }> & Sealing<Def>,
): EventVersion {
  return version(data, options);
}

/** Answers whether an event is one of these. */
export function eventGuard<D extends DeclaredEvents>(events: D): (event: Event) => event is EventOf<D> {
  return (event): event is EventOf<D> => Object.hasOwn(events, event.type);
}

type Sealing<Def> = Readonly<{ personal?: PersonalFields<type.infer<Def>> }>;

/** Its schema is compiled when it is first used: all of them would take every start of a process a third of a second. */
function version(data: unknown, options: object): EventVersion {
  let schema: Type<object> | undefined;
  return {
    ...options,
    get schema() {
      schema ??= type.raw(data).onDeepUndeclaredKey('reject') as Type<object>;
      return schema;
    },
  };
}

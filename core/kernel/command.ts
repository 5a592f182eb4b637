/** A command: imperative. `at` is the instant (ISO, UTC) at which it is decided: deciders have no clock. */
export type Command<Type extends string = string, Data extends object = object> = Readonly<{
  type: Type;
  at: string;
  data: Readonly<Data>;
}>;

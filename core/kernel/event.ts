/** What happened: past tense, noun first. `data` is plain JSON (ISO strings, never Date). */
export type Event<Type extends string = string, Data extends object = object> = Readonly<{
  type: Type;
  data: Readonly<Data>;
}>;

import type { App } from '#api/app.ts';

type Routes = App['~Routes']['api'];
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A segment as the routes name it: itself, or the parameter that stands in its place. */
type Named<Level, Segment extends string> = Segment extends keyof Level
  ? Segment
  : Extract<keyof Level, `:${string}`>;
type RouteAt<Level, Path extends string> = Path extends `${infer Head}/${infer Rest}`
  ? RouteAt<Level[Named<Level, Head>], Rest>
  : Level[Named<Level, Path>];
type MethodAt<M extends Method, Route> = [Route] extends [never]
  ? never
  : Route extends Record<Lowercase<M>, infer Found>
    ? Found
    : never;
type WithoutQuery<Path extends string> = Path extends `${infer Before}?${string}` ? Before : Path;
type Operation<M extends Method, Path extends string> =
  WithoutQuery<Path> extends `/${infer Segments}` ? MethodAt<M, RouteAt<Routes, Segments>> : never;

/** `Path` where the API has an operation there, else never: a path that does not exist does not compile. */
export type PathOf<M extends Method, Path extends string> = [Operation<M, Path>] extends [never]
  ? never
  : Path;

/** What the API's handler answers: a field that it renames does not compile in the site. */
export type AnswerOf<M extends Method, Path extends string> =
  Operation<M, Path> extends { response: { 200: infer Payload } } ? Payload : never;

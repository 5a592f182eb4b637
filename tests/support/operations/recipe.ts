import type { Answer } from '#tests/support/app/api-client.ts';
import type { World } from './two-businesses.ts';

/** A request of one operation, before anything of it is spoiled. */
export type Call = Readonly<{
  /** By the names in the template; each is one part of the path. */
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  /** At most one of these three is the body. */
  json?: Readonly<Record<string, unknown>>;
  form?: Readonly<Record<string, string>>;
  bytes?: Uint8Array<ArrayBuffer>;
  /** In what `foreign` answers: the id in it that is the rival's. */
  foreignId?: string;
}>;

/** How one operation is called, and what opens it. */
export type Recipe = Readonly<{
  /** `session`: a bearer token, 403 without. `other`: another proof, such as a registration's secret. `open`: nothing. */
  access: 'session' | 'other' | 'open';
  /** A request that is accepted; secrets, tickets and jobs that it uses up are made for it. */
  call(world: World): Call | Promise<Call>;
  /** What its parameters name: things of a business, secrets that are their own proof, or what is open to all. */
  names?: 'owned' | 'secret' | 'public';
  /** The same request for what belongs to the rival: `owned` and `secret` operations, and ids in bodies. */
  foreign?(world: World): Call | Promise<Call>;
  /** Works out passwords: the one work that a refusal may cost more than 20 plain ones for (one hash). */
  hashes?: true;
  /** Saves what came along although it answers 409. */
  savesOnConflict?: true;
  /** Never ends its answer: only the head is read. */
  streams?: true;
  /** After an answer, for what the next call must know. */
  after?(world: World, call: Call, answer: Answer): void;
}>;

export const UNKNOWN = '0198c0de-0000-7000-8000-000000000000';

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

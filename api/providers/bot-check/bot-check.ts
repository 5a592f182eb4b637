/** The operations that ask for a bot check. A ticket for one is refused by another. */
export const botCheckScopes = ['public-form', 'registration', 'demo', 'code', 'login'] as const;
export type BotCheckScope = (typeof botCheckScopes)[number];

/** How many times the work of a plain bot check may be asked for: on a phone four times a second's work. */
export const mostPrice = 4;

/** Which operation a challenge is for, and how many times the plain work it asks for (1 to `mostPrice`). */
export type ChallengeFor = Readonly<{ scope: BotCheckScope; price: number }>;

/** Why a solution does not count. */
export type BotCheckRefusal = 'wrong' | 'expired' | 'other-scope';

/**
 * `id` names the solved challenge: the route that accepts it must make sure that it counts once. The browser began at `begunAt`; that is
 * 1970 where more than the plain work was done, which is asked for after a form was filled in and took its time by itself.
 */
export type BotCheckVerdict =
  | Readonly<{ passed: true; id: string; price: number; begunAt: Date; expiresAt: Date }>
  | Readonly<{ passed: false; reason: BotCheckRefusal }>;

/**
 * Tells a person's browser from a script. `challenge` is what the browser needs to begin (JSON), `payload` the text it
 * comes back with. Both throw only when the provider itself is out of reach.
 */
export type BotCheck = Readonly<{
  challenge(asked: ChallengeFor, now: Date): Promise<object>;
  verify(scope: BotCheckScope, payload: string, now: Date): Promise<BotCheckVerdict>;
}>;

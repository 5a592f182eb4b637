/** The doors that ask for a bot check. A ticket for one does not open another. */
export const botCheckScopes = ['public-form', 'registration', 'demo'] as const;
export type BotCheckScope = (typeof botCheckScopes)[number];

/** Why a solution does not count. */
export type BotCheckRefusal = 'wrong' | 'expired' | 'other-scope';

/** `id` names the solved challenge: whoever accepts it must make sure that it counts once. The browser began at `begunAt`. */
export type BotCheckVerdict =
  | Readonly<{ passed: true; id: string; begunAt: Date; expiresAt: Date }>
  | Readonly<{ passed: false; reason: BotCheckRefusal }>;

/**
 * Tells a person's browser from a script. `challenge` is what the browser needs to begin (JSON), `payload` the text it
 * comes back with. Both throw only when the provider itself is out of reach.
 */
export type BotCheck = Readonly<{
  challenge(scope: BotCheckScope, now: Date): Promise<object>;
  verify(scope: BotCheckScope, payload: string, now: Date): Promise<BotCheckVerdict>;
}>;

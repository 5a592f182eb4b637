import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Deps } from '#api/deps.ts';
import { tooManyRequests } from './answers.ts';

export type LimitRule = Readonly<{
  /** Prefix of the counter's key, for example `login-address`. */
  name: string;
  /** How many are allowed in `seconds`. */
  points: number;
  seconds: number;
}>;

export type Limiter = Readonly<{
  /** Counts one. Throws 429 with Retry-After once the limit is passed. Keys hold no personal data: hash them first. */
  consume(key: string): Promise<void>;
  /** Takes back the count of one, for what did not come about. */
  giveBack(key: string): Promise<void>;
  /** Forgets the key's count. */
  reset(key: string): Promise<void>;
}>;

const OFF: Limiter = { consume: async () => {}, giveBack: async () => {}, reset: async () => {} };

/**
 * A limit shared by all processes, counted in `state.rate_limits`. Does nothing when limits are off. `message` says what to
 * do instead; without one the refusal says when to come back.
 */
export function sharedLimiter(deps: Pick<Deps, 'config' | 'db'>, rule: LimitRule, message?: string): Limiter {
  if (deps.config.rateLimits === 'off') return OFF;
  return limiter(postgresCounter(deps, rule), message);
}

/** A limit of this process alone: costs no query, for what every request passes. */
export function localLimiter(deps: Pick<Deps, 'config'>, rule: LimitRule): Limiter {
  if (deps.config.rateLimits === 'off') return OFF;
  return limiter(
    new RateLimiterMemory({ keyPrefix: rule.name, points: rule.points, duration: rule.seconds }),
  );
}

/** The counter behind `sharedLimiter`, for limits with rules of their own. */
export function postgresCounter(deps: Pick<Deps, 'db'>, rule: LimitRule): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: deps.db,
    storeType: 'pool',
    schemaName: 'state',
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix: rule.name,
    points: rule.points,
    duration: rule.seconds,
  });
}

function limiter(counter: RateLimiterPostgres | RateLimiterMemory, message?: string): Limiter {
  return {
    async consume(key) {
      await counter.consume(key).catch((refusal: unknown) => {
        throw refusal instanceof RateLimiterRes
          ? tooManyRequests(refusal.msBeforeNext / 1000, message)
          : refusal;
      });
    },
    async giveBack(key) {
      await counter.reward(key);
    },
    async reset(key) {
      await counter.delete(key);
    },
  };
}

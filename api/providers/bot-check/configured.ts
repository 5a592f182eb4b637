import { createHash } from 'node:crypto';
import { type } from 'arktype';
import { fetchJson, ProviderError } from '#api/providers/http-client.ts';
import type { Config } from '#api/runtime/config/config.ts';
import { createAltchaBotCheck } from './altcha.ts';
import { type BotCheck, type BotCheckScope, type BotCheckVerdict, mostPrice } from './bot-check.ts';

/** The operations whose check is always our own: it has a price, and no script from elsewhere runs where a password is typed. */
const ownScopes: readonly BotCheckScope[] = ['code', 'login'];

/** The bot check that the configuration names. */
export function configuredBotCheck(config: Pick<Config, 'botCheck' | 'keys' | 'publicOrigin'>): BotCheck {
  const { botCheck } = config;
  const own = createAltchaBotCheck({ secret: config.keys.botCheck, cost: botCheck.cost });
  if (botCheck.provider === 'altcha') return own;
  const turnstile = createTurnstileBotCheck({
    ...botCheck,
    hostname: new URL(config.publicOrigin).hostname,
  });
  const of = (scope: BotCheckScope) => (ownScopes.includes(scope) ? own : turnstile);
  return {
    challenge: (asked, now) => of(asked.scope).challenge(asked, now),
    verify: (scope, payload, now) => of(scope).verify(scope, payload, now),
  };
}

const PROVIDER = 'Turnstile';
/** A token counts for this long after it was solved. */
const LIFETIME_MS = 300_000;
const MAX_CHARACTERS = 2_048;

const Answer = type({
  success: 'boolean',
  'challenge_ts?': 'string | null',
  'hostname?': 'string | null',
  'action?': 'string | null',
  'error-codes?': 'string[]',
});

type TurnstileOptions = Readonly<{ siteKey: string; secret: string; url: string; hostname: string }>;

/**
 * Cloudflare Turnstile. `url` is the origin of its API, `hostname` the one that our pages are under: a token that was
 * solved elsewhere, or for another operation, is not ours. Throws `ProviderError` while it is unavailable: then no check succeeds.
 */
function createTurnstileBotCheck({ siteKey, secret, url, hostname }: TurnstileOptions): BotCheck {
  return {
    challenge: async ({ scope }) => ({ provider: 'turnstile', siteKey, action: scope }),
    async verify(scope, payload, now): Promise<BotCheckVerdict> {
      if (payload === '' || payload.length > MAX_CHARACTERS) return { passed: false, reason: 'wrong' };
      const asked = new URLSearchParams({ secret, response: payload });
      const json = await fetchJson(PROVIDER, new URL('/turnstile/v0/siteverify', url), {
        ...{ method: 'POST', body: asked.toString() },
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      const answer = Answer(json);
      if (answer instanceof type.errors) throw new ProviderError(PROVIDER, 'answered something else');
      if (!answer.success) {
        const late = answer['error-codes']?.includes('timeout-or-duplicate');
        return { passed: false, reason: late ? 'expired' : 'wrong' };
      }
      if (answer.hostname !== hostname) return { passed: false, reason: 'wrong' };
      if (answer.action !== scope) return { passed: false, reason: 'other-scope' };
      const expiresAt = new Date(Date.parse(answer.challenge_ts ?? '') + LIFETIME_MS);
      if (!(expiresAt > now)) return { passed: false, reason: 'expired' };
      const begunAt = new Date(expiresAt.getTime() - LIFETIME_MS);
      // Turnstile makes its own challenge harder for whom it suspects: what passed counts at any price.
      const id = createHash('sha256').update(payload).digest('hex');
      return { passed: true, id, price: mostPrice, begunAt, expiresAt };
    },
  };
}

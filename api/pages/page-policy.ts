import type { Config } from '#api/runtime/config/config.ts';
import { tileOrigin } from '#api/runtime/config/providers.ts';

/** Origins of configured providers, by the CSP directive that must allow them; `without` are directives to leave out. */
export type ProviderSources = Readonly<
  Partial<Record<`${string}-src`, readonly string[]>> & { without?: readonly string[] }
>;

/** Adds the providers' origins to a page's policy. A directive that the policy lacks starts from 'self'. */
export function withProviders(policy: string, { without = [], ...sources }: ProviderSources): string {
  const directives = policy
    .split(';')
    .map((directive) => directive.trim())
    .filter((directive) => directive !== '' && !without.includes(directive.split(' ', 1)[0] ?? ''));
  for (const [name, origins] of Object.entries(sources)) {
    if (!origins || origins.length === 0) continue;
    const at = directives.findIndex((directive) => directive.split(' ', 1)[0] === name);
    const current = directives[at] ?? `${name} 'self'`;
    directives.splice(at === -1 ? directives.length : at, 1, [current, ...origins].join(' '));
  }
  return directives.join('; ');
}

/** Where Turnstile's script and its frame come from, whatever address its answers are checked at. */
const turnstile = 'https://challenges.cloudflare.com';

/** Turnstile's script is another's, and changes without us: nothing says that it writes no text as a script's address. */
const trustedTypes = ['require-trusted-types-for', 'trusted-types'];

/** The pages that ask for a bot check, and those that draw a map: a page that comes to do so is named here too. */
const asksForBotCheck = /^\/(register|t|book-demo)(\/|$)/;
const drawsMap = /^\/register(\/|$)/;

/**
 * What the configured providers of this server need of a page's content policy, by the page's path. No other page may
 * load from them: least of all where a password is typed.
 */
export function providerSources({
  botCheck,
  tiles,
}: Pick<Config, 'botCheck' | 'tiles'>): (path: string) => ProviderSources {
  const ofMap: ProviderSources = tiles ? { 'img-src': [tileOrigin(tiles)] } : {};
  const ofBotCheck: ProviderSources =
    botCheck.provider === 'turnstile'
      ? { 'script-src': [turnstile], 'frame-src': [turnstile], without: trustedTypes }
      : {};
  return (path) => ({
    ...(drawsMap.test(path) ? ofMap : {}),
    ...(asksForBotCheck.test(path) ? ofBotCheck : {}),
  });
}

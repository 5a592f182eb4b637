import { tileOrigin } from '../config/tiles.ts';
import type { Config } from '../config.ts';
import type { ProviderSources } from './page-policy.ts';

/** Where Turnstile's script and its frame come from, whatever address its answers are checked at. */
const turnstile = 'https://challenges.cloudflare.com';

/** What the configured providers of this server need of every page's content policy. */
export function providerSources({ botCheck, tiles }: Pick<Config, 'botCheck' | 'tiles'>): ProviderSources {
  return {
    ...(tiles ? { 'img-src': [tileOrigin(tiles)] } : {}),
    ...(botCheck.provider === 'turnstile' ? { 'script-src': [turnstile], 'frame-src': [turnstile] } : {}),
  };
}

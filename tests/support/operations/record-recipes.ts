import { macKeyOf } from '#core/event-store/append-mac.ts';
import { proveOnce } from '#projections/proof/follow.ts';
import { readProofStatus } from '#projections/proof/read.ts';
import { silentLog } from '#projections/runtime/log.ts';
import type { TestApp } from '../api.ts';
import type { Recipe } from './recipe.ts';

/** Signs the log as the worker does, and answers of how many leaves it has. */
export async function signLog({ deps, databaseUrl }: TestApp): Promise<number> {
  const { db: pool, config, now, readLeaves } = deps;
  const { proof, publicOrigin } = config;
  if (!proof) throw new Error('this process does not sign');
  await proveOnce(
    {
      ...{ log: { readLeaves }, pool, connectionString: databaseUrl, keys: proof, now },
      host: new URL(publicOrigin).host,
      macKey: macKeyOf(config.keys.data),
      outlet: { add: async () => {}, newest: async () => null },
    },
    silentLog,
    new AbortController().signal,
  );
  return (await readProofStatus(pool)).signed?.size ?? 0;
}

export const recordRecipes = {
  'GET /api/checkpoints': { access: 'open', call: () => ({}) },
  'GET /api/checkpoints/key': { access: 'open', call: () => ({}) },
  'GET /api/checkpoints/latest': {
    access: 'open',
    call: async ({ app }) => {
      await signLog(app);
      return {};
    },
  },
  'GET /api/checkpoints/:size': {
    access: 'open',
    names: 'public',
    call: async ({ app }) => ({ params: { size: String(await signLog(app)) } }),
  },
  'GET /api/checkpoints/consistency': {
    access: 'open',
    call: async ({ app }) => ({ query: { from: '1', to: String(await signLog(app)) } }),
  },
} as const satisfies Partial<Record<string, Recipe>>;

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
      outlet: { add: async () => {}, newest: async () => null },
    },
    silentLog,
    new AbortController().signal,
  );
  return (await readProofStatus(pool)).signed?.size ?? 0;
}

export const recordRecipes = {
  'GET /api/checkpoints': { access: 'other', call: () => ({}) },
  'GET /api/checkpoints/key': { access: 'other', call: () => ({}) },
  'GET /api/checkpoints/latest': {
    access: 'other',
    call: async ({ app }) => {
      await signLog(app);
      return {};
    },
  },
  'GET /api/checkpoints/:size': {
    access: 'other',
    names: 'public',
    call: async ({ app }) => ({ params: { size: String(await signLog(app)) } }),
  },
  'GET /api/checkpoints/consistency': {
    access: 'other',
    call: async ({ app }) => ({ query: { from: '1', to: String(await signLog(app)) } }),
  },
} as const satisfies Partial<Record<string, Recipe>>;

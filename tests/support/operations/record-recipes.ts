import { macKeyOf } from '#core/event-store/chain.ts';
import { type ProofOptions, proveOnce, startProof } from '#projections/proof/follow.ts';
import { readProofStatus } from '#projections/proof/read.ts';
import { statementKeyOf } from '#projections/proof/statements.ts';
import { silentLog } from '#projections/runtime/failure.ts';
import type { TestApp } from '../api.ts';
import type { Recipe } from './recipe.ts';

function proofOptions({ deps, databaseUrl }: TestApp): ProofOptions {
  const { db: pool, config, now, readLeaves, readStored } = deps;
  const { proof, publicOrigin } = config;
  if (!proof) throw new Error('this process does not sign');
  return {
    ...{ log: { readLeaves, readStored }, pool, connectionString: databaseUrl, keys: proof, now },
    host: new URL(publicOrigin).host,
    macKey: macKeyOf(config.keys.data),
    statementKey: statementKeyOf(config.keys.data),
    outlet: { add: async () => {}, newest: async () => null },
  };
}

/** Signs the log as the worker does, and answers of how many leaves it has. */
export async function signLog(app: TestApp): Promise<number> {
  await proveOnce(proofOptions(app), silentLog, new AbortController().signal);
  return (await readProofStatus(app.deps.db)).signed?.size ?? 0;
}

const signing = new WeakSet<TestApp>();

/** Lets the process that signs run until the app is closed. */
export function signForRecords(app: TestApp): void {
  if (signing.has(app)) return;
  signing.add(app);
  const proof = startProof(proofOptions(app));
  app.onClose(() => proof.stop());
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

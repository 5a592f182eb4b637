import { join } from 'node:path';
import { mintExportToken } from '#api/privacy/export/downloads.ts';
import { keyVariables } from '#api/runtime/config/keys.ts';
import type { SignedIn, TestApp } from '#tests/support/app/api.ts';
import { type Ran, runUte } from '#tests/support/processes/processes.ts';

/** Files as other programs write them. */
export const importFiles = join(import.meta.dirname, '..', 'scenarios', 'import-files');

/** Runs `ute import` on a file, into the business of a slug, with the keys and the database of a test's app. */
export function runImportOf(
  api: TestApp,
  dataDir: string,
  file: string,
  slug: string,
  ...words: string[]
): Promise<Ran> {
  const keys = Object.entries(keyVariables).map(([purpose, variable]) => {
    return [variable, api.deps.config.keys[purpose as keyof typeof keyVariables].toString('base64')];
  });
  const environment = { DATABASE_URL: api.databaseUrl, DATA_DIR: dataDir };
  const all = { ...Object.fromEntries(keys), ...environment };
  return runUte(all, 'import', file, '--business', slug, ...words);
}

/** The archive that a business saves of itself. */
export async function exportOf(api: TestApp, owner: SignedIn): Promise<Uint8Array> {
  await api.settle();
  const { jti } = JSON.parse(Buffer.from(owner.token.split('.')[1] ?? '', 'base64url').toString());
  const token = mintExportToken(api.deps, { id: jti, accountId: owner.accountId });
  const answer = await api.app.handle(new Request(`http://localhost/api/settings/export/${token}`));
  return answer.bytes();
}

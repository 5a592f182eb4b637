import { statfs } from 'node:fs/promises';
import type { Config } from '#api/runtime/config/config.ts';

/** Free space of a data folder, in bytes: below `wrong` the database soon stops. */
export const SPACE = { warning: 2 * 1024 ** 3, wrong: 256 * 1024 ** 2 };

/** Whether anything that grows lies in the data folder of this process. */
export function storesHere({ databaseUrl, files }: Pick<Config, 'databaseUrl' | 'files'>): boolean {
  return databaseUrl === undefined || files.provider === 'local';
}

/** In bytes, for those who are not the administrator. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

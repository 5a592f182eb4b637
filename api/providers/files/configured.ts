import type { FileSettings } from '#api/runtime/config/files.ts';
import type { FileStore } from './files.ts';
import { localFiles } from './local.ts';
import { s3Files } from './s3.ts';

/** The store that the environment asks for; without a word of it this machine's disk. */
export function configuredFiles(settings: FileSettings): FileStore {
  return settings.provider === 's3' ? s3Files(settings) : localFiles(settings.folder);
}

import { mediaUpload } from '#core/values/uploads.ts';
import type { Prepared } from './prepare-file.ts';

const loadPrepare = () => import('./prepare-file.ts');
const loadStored = () => import('./stored-files.ts');

/** Loads what files need with the first touch of the form: a dead spot may come before the first photo. */
export function loadFileScripts(): void {
  void Promise.all([loadPrepare(), loadStored()]).catch(() => {});
}

/** A file as it is sent. As it is, where what makes it smaller could not be loaded: the server judges it. */
export async function prepared(file: File): Promise<Prepared> {
  const module = await loadPrepare().catch(() => null);
  if (!module) {
    if (file.size > mediaUpload.bytes) return { problem: mediaUpload.tooLarge };
    return { file, name: file.name, preview: null };
  }
  return module.prepare(file).catch(() => ({ problem: mediaUpload.wrongType }));
}

/** Stores a file until it is up; answers by what this tab finds it again, null where the browser stores nothing. */
export function storeFile(file: Blob): Promise<string | null> {
  return loadStored()
    .then((files) => files.storeFile(file))
    .catch(() => null);
}

/** A stored file; null where it is not there any more. */
export function storedFile(stored: string): Promise<Blob | null> {
  return loadStored()
    .then((files) => files.storedFile(stored))
    .catch(() => null);
}

/** Removes a file that is up, or is not wanted any more. */
export function removeFile(stored: string): void {
  void loadStored()
    .then((files) => files.removeFile(stored))
    .catch(() => {});
}

import { copiesDatabase } from './offline/copy-store.ts';
import { draftPrefix } from './offline/drafts.ts';
import { registrationKey } from './registration-id.ts';
import { readSession, sessionKey, writeSession } from './session/session-storage.ts';

const failedKey = 'ute.failed';
const typedPrefixes = [draftPrefix, 'ute.form.'];

/**
 * Drops what the site stores in this browser when a page fails on it, so that the next try does not meet it again: caches,
 * appearance, what is known of the user. What was typed goes only when the same page failed on the last try too; who is signed
 * in and which registration is under way stay.
 */
export function dropStoredValues(path: string): void {
  try {
    const hasFailedBefore = sessionStorage.getItem(failedKey) === path;
    const session = readSession();
    for (const storage of [sessionStorage, localStorage]) {
      for (const key of Object.keys(storage)) {
        const isTyped = typedPrefixes.some((prefix) => key.startsWith(prefix));
        const stays = [sessionKey, registrationKey].includes(key) || (isTyped && !hasFailedBefore);
        if (key.startsWith('ute.') && !stays) storage.removeItem(key);
      }
    }
    if (session) writeSession({ token: session.token, rememberMe: session.rememberMe });
    sessionStorage.setItem(failedKey, path);
    indexedDB.deleteDatabase(copiesDatabase);
  } catch {
    // A browser that refuses storage has stored nothing.
  }
}

/** Notes that a page was left without a fault. */
export function clearFailure(): void {
  try {
    sessionStorage.removeItem(failedKey);
  } catch {
    // Nothing was noted.
  }
}

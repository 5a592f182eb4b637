import { readShaped, type Shape } from '#site/lib/shape.ts';

/** What is typed but not saved yet is stored in this tab, per account. It outlives a lost session, not a logout. */
export const draftPrefix = 'ute.draft.';

const removalKey = 'ute.forgetting';

export type Drafts<T> = Readonly<{
  read(): T | null;
  write(draft: T): void;
  remove(): void;
}>;

/**
 * The draft of one form of one account; one that has not the shape is none. Where the browser refuses storage nothing is
 * stored, and nothing breaks.
 */
export function draftsOf<T>(form: string, account: string, shape: Shape<T>): Drafts<T> {
  const key = `${draftPrefix}${form}.${account}`;
  return {
    read: () => quietly(() => readShaped(sessionStorage.getItem(key), shape)) ?? null,
    write: (draft) => void quietly(() => sessionStorage.setItem(key, JSON.stringify(draft))),
    remove: () => void quietly(() => sessionStorage.removeItem(key)),
  };
}

/** Removes the drafts of this tab; those of `account` stay where one is given. */
export function removeDrafts(account?: string): void {
  quietly(() => {
    for (const key of Object.keys(sessionStorage)) {
      const isOwn = account !== undefined && key.endsWith(`.${account}`);
      if (key.startsWith(draftPrefix) && !isOwn) sessionStorage.removeItem(key);
    }
  });
}

/** Removes the drafts of this tab, and of the others by an event. */
export function removeDraftsEverywhere(): void {
  removeDrafts();
  quietly(() => {
    localStorage.setItem(removalKey, String(Date.now()));
    localStorage.removeItem(removalKey);
  });
}

/** Whether a storage event means that another tab logged out. */
export function isRemoval(event: Pick<StorageEvent, 'key' | 'newValue'>): boolean {
  return event.key === removalKey && event.newValue !== null;
}

function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    // Private browsing may refuse, and another script may have written something else there.
    return undefined;
  }
}

/** Set while there may be photos, or changes of jobs, to send: a page without them loads nothing of what sends them. */
export const photosMark = 'ute.photos-waiting';
export const changesMark = 'ute.changes-waiting';

/** Whether this browser may have what a mark stands for. */
export function isMarked(mark: typeof photosMark | typeof changesMark): boolean {
  try {
    return mark in localStorage;
  } catch {
    return false;
  }
}

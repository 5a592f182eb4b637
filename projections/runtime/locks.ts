/** Held by the process that keeps the live tables of a key up. */
export const leadLock = (key: string): string => `lead ${key}`;

/** Held while the tables of a key are built anew or verified, by which others know that it is going on. */
export const rebuildLock = (key: string): string => `rebuild ${key}`;

/** Held while the tables of a key are exchanged, and shared by each batch that writes without locking the checkpoint first. */
export const exchangeLock = (key: string): string => `exchange ${key}`;

/** Shared by all processes that read the tables of a key. */
export const readerLock = (key: string): string => `use ${key}`;

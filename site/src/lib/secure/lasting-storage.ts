/** Asks the browser not to make room by removing what this site stores. Never rejects; over plain http it cannot be asked. */
export async function askForLastingStorage(): Promise<void> {
  const storage: StorageManager | undefined = navigator.storage;
  await storage?.persist?.().catch(() => {});
}

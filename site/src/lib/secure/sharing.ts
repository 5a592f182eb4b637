/** Copies a text. Answers whether the browser did: without https, or with the permission refused, it does not. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** The device's share sheet; undefined where it has none, as over plain http. */
export function shareSheet(): ((data: ShareData) => Promise<void>) | undefined {
  return typeof navigator.share === 'function' ? (data) => navigator.share(data) : undefined;
}

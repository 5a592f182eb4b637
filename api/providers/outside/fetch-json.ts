/** A provider did not answer, or not in the way its documents say. The message holds nothing of what it sent. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  constructor(
    readonly provider: string,
    reason: string,
    readonly status?: number,
  ) {
    super(`${provider}: ${reason}`);
  }
}

const TIMEOUT_MS = 3_000;
const MOST_BYTES = 1024 * 1024;

type Init = Readonly<{ method?: string; headers?: Record<string, string>; body?: string | URLSearchParams }>;

/** The JSON that a provider answers, unchecked. Throws as `fetchText` does, and for what is not JSON. */
export async function fetchJson(provider: string, url: URL, init: Init = {}): Promise<unknown> {
  const text = await fetchText(provider, url, init);
  try {
    return JSON.parse(text);
  } catch {
    throw new ProviderError(provider, 'is not JSON');
  }
}

/**
 * The text that a provider answers. Gives up after 3 seconds, follows no redirects, reads 1 MiB at most.
 * Throws `ProviderError` for everything but 200; its `status` is the provider's.
 */
export async function fetchText(provider: string, url: URL, init: Init = {}): Promise<string> {
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new ProviderError(provider, `answered ${response.status}`, response.status);
    }
    return await readText(provider, response);
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    const timedOut = error instanceof Error && error.name === 'TimeoutError';
    throw new ProviderError(provider, timedOut ? 'took too long' : 'cannot be reached');
  }
}

async function readText(provider: string, { body }: Response): Promise<string> {
  if (!body) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > MOST_BYTES) throw new ProviderError(provider, 'answered too much');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size).toString('utf8');
}

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

const LOOKUP_TIMEOUT = 3_000;
const MOST_BYTES = 1024 * 1024;

type Init = Readonly<{
  method?: string;
  headers?: Record<string, string>;
  body?: string | URLSearchParams | Uint8Array<ArrayBuffer>;
}>;

/** The JSON that a provider answers, unchecked. Throws as `fetchText` does, and for what is not JSON. */
export async function fetchJson(provider: string, url: URL, init: Init = {}): Promise<unknown> {
  const text = await fetchText(provider, url, init);
  try {
    return JSON.parse(text);
  } catch {
    throw new ProviderError(provider, 'is not JSON');
  }
}

/** The text that a provider answers. Throws as `exchange` does. */
export async function fetchText(provider: string, url: URL, init: Init = {}): Promise<string> {
  return (await exchange(provider, url, init)).bytes.toString('utf8');
}

/**
 * The bytes that a provider answers, and with which of `statuses`. Gives up after 3 seconds, follows no redirects, reads 1 MiB
 * at most. Throws `ProviderError` for every other status, which it then has.
 */
export async function exchange(
  provider: string,
  url: URL,
  init: Init = {},
  statuses: readonly number[] = [200],
): Promise<Readonly<{ status: number; bytes: Buffer }>> {
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.timeout(LOOKUP_TIMEOUT),
    });
    const { status } = response;
    if (!statuses.includes(status)) {
      await response.body?.cancel();
      throw new ProviderError(provider, `answered ${status}`, status);
    }
    return { status, bytes: await readBytes(provider, response) };
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    const timedOut = error instanceof Error && error.name === 'TimeoutError';
    throw new ProviderError(provider, timedOut ? 'took too long' : 'cannot be reached');
  }
}

async function readBytes(provider: string, { body }: Response): Promise<Buffer> {
  if (!body) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > MOST_BYTES) throw new ProviderError(provider, 'answered too much');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** How long a provider may take to answer, in milliseconds: less than the outbox waits for a message. */
const POST_TIMEOUT = 10_000;
/** What is wrong with the message itself; every other refusal, an unknown address or account too, may be mended. */
const FINAL = new Set([400, 413, 422]);

type Posting = Readonly<{ headers: Record<string, string>; body: string; timeout?: number }>;

/**
 * Hands a message to a provider. Taken means 2xx, whatever follows. Throws `MessageRefusedError` where the message itself
 * is refused, `ProviderError` for everything that may be different later. Follows no redirects.
 */
export async function postMessage(
  provider: string,
  url: URL,
  { headers, body, timeout = POST_TIMEOUT }: Posting,
): Promise<void> {
  let response: Response;
  try {
    const signal = AbortSignal.timeout(timeout);
    response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    throw new ProviderError(provider, isLate ? 'took too long' : 'cannot be reached');
  }
  const { status } = response;
  // What it says is not read: it repeats the number and the words.
  await response.body?.cancel().catch(() => {});
  if (status >= 200 && status < 300) return;
  const Refusal = FINAL.has(status) ? MessageRefusedError : ProviderError;
  throw new Refusal(provider, `answered ${status}`, status);
}

/** The `Authorization` of a user and a password. */
export function basicAuth(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`;
}

/** No provider will ever take this message: trying again is of no use. */
export class MessageRefusedError extends ProviderError {}

/** A provider had the whole message and has not answered whether it took it: it may be out. */
export class DeliveryUncertainError extends ProviderError {}

import { ProviderError } from './fetch-json.ts';
import { MessageRefusedError } from './message-refused.ts';

/** How long a provider may take to answer, in milliseconds: less than the outbox waits for a message. */
const TIMEOUT = 10_000;
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
  { headers, body, timeout = TIMEOUT }: Posting,
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

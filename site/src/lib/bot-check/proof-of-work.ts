import nativeWorker from 'altcha/workers/pbkdf2?worker&url';
import type { TrustedTypes } from '../trusted-types.ts';
import plainWorker from './plain-worker.ts?worker&url';

/** ALTCHA's challenge, as the server signed it. */
export type Challenge = Readonly<{ parameters: Readonly<Record<string, unknown>>; signature: string }>;
type Solution = Readonly<{ counter: number; derivedKey: string }>;

const mostWorkers = 4;

/**
 * Does the work of a challenge beside the page, on as many cores as may be spared, and gives the text to send back;
 * null where no worker finds the answer. A page without https has no cryptography of its own, so its workers bring theirs.
 */
export async function proveWork(challenge: Challenge): Promise<string | null> {
  const count = Math.max(1, Math.min(mostWorkers, navigator.hardwareConcurrency || 1));
  const address = trustedAddress();
  const workers = Array.from({ length: count }, () => new Worker(address));
  try {
    const solution = await Promise.any(
      workers.map((worker, counterStart) => work(worker, { challenge, counterStart, counterStep: count })),
    );
    return btoa(JSON.stringify({ challenge, solution }));
  } catch {
    return null;
  } finally {
    for (const worker of workers) worker.terminate();
  }
}

let known: string | undefined;
/** The address of the worker that this page needs: pages let no text become a script's address, save the ones named. */
function trustedAddress(): string {
  const address = isSecureContext ? nativeWorker : plainWorker;
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const rules = { createScriptURL: () => address };
  known ??= trustedTypes?.createPolicy('ute-bot-check', rules).createScriptURL(address) ?? address;
  return known;
}

type Share = Readonly<{ challenge: Challenge; counterStart: number; counterStep: number }>;

function work(worker: Worker, share: Share): Promise<Solution> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Solution | { error: unknown } | null>) => {
      if (data && 'counter' in data) resolve(data);
      else reject(new Error('No answer was found'));
    };
    worker.onerror = () => reject(new Error('The worker did not start'));
    worker.postMessage({ type: 'work', ...share });
  });
}

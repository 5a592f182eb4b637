import type { Config } from '../config.ts';
import { BODY_LIMIT } from './body-rules.ts';
import { addressKey } from './client-address.ts';
import { HttpError, unavailable } from './http-errors.ts';
import { contextOf } from './request-context.ts';

/** Seconds after which a second upload of one source may try again. */
const RETRY = '5';

/** One body on its way in. Disposed, it gives back its bytes and its source's turn. */
export type Upload = Disposable &
  Readonly<{
    /** Counts bytes that are about to be kept. Throws 503 when the process keeps as many as it may. */
    keep(bytes: number): void;
    /** Gives back bytes that are not kept any more. */
    drop(bytes: number): void;
  }>;

/** What a process keeps of long bodies at once, and for whom. One for all routes that take more than `BODY_LIMIT`. */
export type Uploads = Readonly<{
  /**
   * A place for the body of this request, before a byte of it is kept. Throws 429 while another one of the same source is on its
   * way; a body that says it is no longer than `BODY_LIMIT` needs no turn.
   */
  open(request: Request): Upload;
  /** Bytes that are kept just now. */
  bytesInFlight(): number;
}>;

export function createUploads({
  uploadBudget,
  rateLimits,
}: Pick<Config, 'uploadBudget' | 'rateLimits'>): Uploads {
  const busy = new Set<string>();
  let inFlight = 0;

  function open(request: Request): Upload {
    const needsTurn = rateLimits === 'on' && isLong(request.headers);
    const source = needsTurn ? addressKey(contextOf(request).ip) : null;
    if (source !== null) {
      if (busy.has(source)) throw stillUploading();
      busy.add(source);
    }
    let own = 0;
    let isOpen = true;
    return {
      keep(bytes) {
        if (inFlight + bytes > uploadBudget) throw unavailable();
        inFlight += bytes;
        own += bytes;
      },
      drop(bytes) {
        inFlight -= bytes;
        own -= bytes;
      },
      [Symbol.dispose]() {
        if (!isOpen) return;
        isOpen = false;
        inFlight -= own;
        if (source !== null) busy.delete(source);
      },
    };
  }

  return { open, bytesInFlight: () => inFlight };
}

/** Whether a body may be longer than `BODY_LIMIT`: one that does not say its length may. */
function isLong(headers: Headers): boolean {
  const declared = headers.get('content-length');
  return declared === null || Number(declared) > BODY_LIMIT;
}

function stillUploading(): HttpError {
  return new HttpError(429, 'Another upload is still on its way, please try again when it is done', {
    headers: { 'retry-after': RETRY },
  });
}

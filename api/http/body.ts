import { badRequest, HttpError } from './http-errors.ts';
import { assertJsonDepth, assertStorable } from './well-formed.ts';

/** Bytes of a body, for every route that does not say otherwise. */
export const BODY_LIMIT = 64 * 1024;

const TOO_LARGE = 'That is more than we can take at once';

/**
 * The body of a request, read within the limit and checked before any route sees it. `undefined` when there is none.
 * `application/json` below `/api`, form-encoded elsewhere; both are refused as anything else with 415.
 */
export async function readBody(request: Request, kind: 'json' | 'form'): Promise<unknown> {
  if (request.method === 'GET' || request.method === 'HEAD' || !request.body) return undefined;
  const declared = request.headers.get('content-length');
  if (declared !== null && Number(declared) > BODY_LIMIT) throw new HttpError(413, TOO_LARGE);
  const bytes = await readBytes(request.body);
  if (bytes.length === 0) return undefined;
  assertContentType(request.headers.get('content-type'), kind);
  const text = decode(bytes);
  const body = kind === 'json' ? parseJson(text) : parseForm(text);
  assertStorable(body);
  return body;
}

async function readBytes(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.byteLength;
    if (size > BODY_LIMIT) {
      await reader.cancel().catch(() => {});
      throw new HttpError(413, TOO_LARGE);
    }
    chunks.push(next.value);
  }
  return Buffer.concat(chunks, size);
}

function assertContentType(header: string | null, kind: 'json' | 'form'): void {
  const [type, ...parameters] = (header ?? '').toLowerCase().split(';');
  const expected = kind === 'json' ? 'application/json' : 'application/x-www-form-urlencoded';
  const charset = parameters.map((part) => part.trim()).find((part) => part.startsWith('charset='));
  if (type?.trim() !== expected || (charset && !/^charset="?utf-8"?$/.test(charset))) {
    throw new HttpError(415, `Send this as ${expected}`);
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badRequest('The text is not UTF-8');
  }
}

function parseJson(text: string): unknown {
  assertJsonDepth(text);
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('The request is not JSON');
  }
}

/** Field → value; a field sent twice is refused, as in a query. */
function parseForm(text: string): Record<string, string> {
  const entries = [...new URLSearchParams(text)];
  const form = Object.fromEntries(entries);
  if (Object.keys(form).length !== entries.length) throw badRequest('A field was sent twice');
  return form;
}

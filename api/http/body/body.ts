import { badRequest, HttpError } from '#api/http/http-errors.ts';
import type { BodyRule } from './body-rules.ts';
import { parseJson } from './json.ts';
import type { Upload } from './uploads.ts';
import { assertStorable } from './well-formed.ts';

/** How many fields a form may have: more than a public form with all its questions. */
export const FIELD_LIMIT = 100;

/**
 * The body of a request, read within the rule's limit and checked before any route sees it. `undefined` when there is none.
 * JSON or a form, as the rule says; both are refused as anything else with 415.
 */
export async function readBody(request: Request, rule: BodyRule, upload?: Upload): Promise<unknown> {
  if (rule.kind === 'unread' || request.method === 'GET' || request.method === 'HEAD') return undefined;
  const { kind } = rule;
  const bytes = await readUpload(request, rule, upload);
  if (bytes.length === 0) return undefined;
  assertContentType(request.headers.get('content-type'), kind);
  const text = decode(bytes);
  const body = kind === 'json' ? parseJson(text) : parseForm(text);
  assertStorable(body);
  return body;
}

/**
 * The bytes of a body, read and counted by `upload` where it may be a long one. Throws 413 with `tooLarge` above `limit`, before more
 * than that is in memory, and what `upload` throws; then nothing more is read.
 */
export async function readUpload(
  request: Request,
  { limit, tooLarge }: Readonly<{ limit: number; tooLarge: string }>,
  upload?: Upload,
): Promise<Uint8Array> {
  if (!request.body) return new Uint8Array(0);
  const declared = request.headers.get('content-length');
  if (declared !== null && Number(declared) > limit) throw new HttpError(413, tooLarge);
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop by a throw cancels the body.
  for await (const chunk of upload?.chunks() ?? request.body) {
    size += chunk.byteLength;
    if (size > limit) throw new HttpError(413, tooLarge);
    upload?.hold(chunk.byteLength);
    chunks.push(chunk);
  }
  // Most bodies come in one piece, which needs no copy.
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size);
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

/** Field → value; a field sent twice is refused, as in a query, and thousands of fields before they are taken apart. */
function parseForm(text: string): Record<string, string> {
  if (text.split('&', FIELD_LIMIT + 1).length > FIELD_LIMIT) throw badRequest('The form has too many fields');
  const entries = [...new URLSearchParams(text)];
  const form = Object.fromEntries(entries);
  if (Object.keys(form).length !== entries.length) throw badRequest('A field was sent twice');
  return form;
}

import { readBody } from '#api/http/body.ts';
import { BODY_LIMIT, bodyTooLarge } from '#api/http/body-rules.ts';
import { badRequest, HttpError } from '#api/http/http-errors.ts';
import { assertStorable } from '#api/http/well-formed.ts';
import { mediaUpload } from '#core/values/uploads.ts';
import type { PageForm } from './page-form.ts';

export type PostedFile = Readonly<{ name: string; bytes: Uint8Array }>;

/** What a browser without JavaScript posted. */
export type PagePost = Readonly<{
  fields: PageForm;
  files: readonly PostedFile[];
  /** Ids of files that came with a post before, still ticked. */
  keptMedia: readonly string[];
  /** It was more than anybody may send, and what came last is not here. */
  isCut: boolean;
}>;

/** All files of a request with all its text. */
const MOST = mediaUpload.files * mediaUpload.bytes + 2 * BODY_LIMIT;
/** A browser shows an answer only once it has sent everything: so much of what is too much is heard out, and forgotten. */
const HEARD_OUT = 100 * 1024 * 1024;

const asText = { kind: 'form', limit: BODY_LIMIT, tooLarge: bodyTooLarge } as const;

/** Reads a posted form, with files (`multipart/form-data`) or without. Throws 400, 413, 415 for what is no form. */
export async function readPagePost(request: Request): Promise<PagePost> {
  const contentType = request.headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(contentType)) {
    const fields = ((await readBody(request, asText)) ?? {}) as PageForm;
    return { fields, files: [], keptMedia: [], isCut: false };
  }
  const boundary = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType);
  if (!boundary) throw badRequest('The form cannot be read');
  const { bytes, isCut } = await readUpTo(request, MOST);
  const whole = isCut ? withoutTheRest(bytes, boundary[1] ?? boundary[2] ?? '') : bytes;
  return { ...(await partsOf(whole, contentType)), isCut };
}

/** Like `readUpload`, but keeps what came first when there is more than `limit`. */
async function readUpTo(request: Request, limit: number): Promise<{ bytes: Buffer; isCut: boolean }> {
  const chunks: Uint8Array[] = [];
  let [kept, heard] = [0, 0];
  for await (const chunk of request.body ?? []) {
    heard += chunk.byteLength;
    if (heard > HEARD_OUT) break;
    const room = chunk.subarray(0, limit - kept);
    kept += room.byteLength;
    if (room.byteLength > 0) chunks.push(room);
  }
  return { bytes: Buffer.concat(chunks, kept), isCut: heard > limit };
}

/** Ends a form after its last whole part. */
function withoutTheRest(bytes: Buffer, boundary: string): Buffer {
  const end = bytes.lastIndexOf(`\r\n--${boundary}`);
  return Buffer.concat([bytes.subarray(0, Math.max(end, 0)), Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

async function partsOf(bytes: Buffer, contentType: string): Promise<Omit<PagePost, 'isCut'>> {
  const body = new Uint8Array(bytes);
  const form = await new Response(body, { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => Promise.reject(badRequest('The form cannot be read')));
  const parts = [...form];
  const texts = parts.filter((part): part is [string, string] => typeof part[1] === 'string');
  const keptMedia = texts.flatMap(([name, value]) => (name === 'keptMedia' ? [value] : []));
  const named = texts.filter(([name]) => name !== 'keptMedia');
  const fields = Object.fromEntries(named);
  if (Object.keys(fields).length !== named.length) throw badRequest('A field was sent twice');
  const length = texts.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (length > BODY_LIMIT) throw new HttpError(413, bodyTooLarge);
  assertStorable({ ...fields, keptMedia });
  // A field in which no file was chosen comes as an empty one.
  const files = parts.flatMap(([, value]) => (typeof value === 'string' || value.size === 0 ? [] : [value]));
  return {
    ...{ fields, keptMedia },
    files: await Promise.all(files.map(async (file) => ({ name: file.name, bytes: await file.bytes() }))),
  };
}

import { readBody } from '#api/http/body/body.ts';
import { BODY_LIMIT, bodyTooLarge } from '#api/http/body/body-rules.ts';
import type { Upload } from '#api/http/body/uploads.ts';
import { assertStorable } from '#api/http/body/well-formed.ts';
import { badRequest } from '#api/http/http-errors.ts';
import type { PageForm } from './page-form.ts';
import { type Parts, readParts } from './page-parts.ts';

/** What a browser without JavaScript posted. */
export type PagePost = Omit<Parts, 'texts'> &
  Readonly<{
    fields: PageForm;
    /** Ids of files that came with a post before, still ticked. */
    keptMedia: readonly string[];
  }>;

const asText = { kind: 'form', limit: BODY_LIMIT, tooLarge: bodyTooLarge } as const;

/** Reads a posted form, with files (`multipart/form-data`) or without. Throws 400, 413, 415 for what is no form, 408 and 503 as `upload` does. */
export async function readPagePost(request: Request, upload: Upload): Promise<PagePost> {
  const contentType = request.headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(contentType)) {
    const fields = ((await readBody(request, asText, upload)) ?? {}) as PageForm;
    return { fields, files: [], keptMedia: [], hasMore: false, isCut: false };
  }
  const { texts, ...files } = await readParts(contentType, upload);
  const keptMedia = texts.flatMap(([name, value]) => (name === 'keptMedia' ? [value] : []));
  const named = texts.filter(([name]) => name !== 'keptMedia');
  const fields = Object.fromEntries(named);
  if (Object.keys(fields).length !== named.length) throw badRequest('A field was sent twice');
  assertStorable({ ...fields, keptMedia });
  return { ...files, fields, keptMedia };
}

import { badRequest, HttpError } from '#api/http/answers.ts';
import { FIELD_LIMIT, formText, readBody } from '#api/http/body/body.ts';
import { assertStorable, BODY_LIMIT, bodyTooLarge } from '#api/http/body/body-rules.ts';
import { multipartReader, type PartSink } from '#api/http/body/multipart.ts';
import type { Upload } from '#api/http/body/uploads.ts';
import { mediaUpload } from '#core/values/uploads.ts';

/** What a browser without JavaScript posts: every field as text, a ticked box as `on`. */
export type PageForm = Readonly<Record<string, string>>;

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
    return { fields, files: [], keptMedia: [], hasMore: false, tooLarge: [], isCut: false };
  }
  const { texts, ...files } = await readParts(contentType, upload);
  const keptMedia = texts.flatMap(([name, value]) => (name === 'keptMedia' ? [value] : []));
  const named = texts.filter(([name]) => name !== 'keptMedia');
  const fields = Object.fromEntries(named.map(([name, value]) => [name, formText(value)]));
  if (Object.keys(fields).length !== named.length) throw badRequest('A field was sent twice');
  assertStorable({ ...fields, keptMedia });
  return { ...files, fields, keptMedia };
}

type PostedFile = Readonly<{ name: string; bytes: Uint8Array }>;

/** The parts of a form in their order: its texts by name, and as many files as a request may have. */
type Parts = Readonly<{
  texts: readonly (readonly [name: string, value: string])[];
  files: readonly PostedFile[];
  /** There were more files than that. */
  hasMore: boolean;
  /** The names of the first files that were too large: they are not here. */
  tooLarge: readonly string[];
  /** The whole was too large: what came after that is not here. */
  isCut: boolean;
}>;

/** A browser shows an answer only once it has sent everything: so much of what is too much is read, and thrown away. */
const MOST_READ = 100 * 1024 * 1024;
/** Characters of a file's name; no file system makes a longer one. */
const NAME_LENGTH = 255;
/** Parts of a form with all its fields, and with many files too many, which is a mistake and no attack. */
const PART_LIMIT = 2 * FIELD_LIMIT;

/**
 * Reads `multipart/form-data` part by part. Keeps five files of 5 MiB and 64 KiB of text at most; a file that is
 * too large is thrown away as it comes. Throws 400 for what is no form and for more parts than a form has, 413 for too much
 * text, 408 and 503 when `upload` does: then nothing more is read.
 */
async function readParts(contentType: string, upload: Upload): Promise<Parts> {
  const parts = collector(upload);
  const reader = multipartReader(contentType, parts.onPart);
  let read = 0;
  for await (const chunk of upload.chunks()) {
    read += chunk.byteLength;
    if (read > MOST_READ) return { ...parts.whole(), isCut: true };
    reader.write(chunk);
  }
  reader.end();
  return parts.whole();
}

function collector(upload: Upload) {
  const texts: (readonly [string, string])[] = [];
  const files: PostedFile[] = [];
  const tooLarge: string[] = [];
  let [parts, room, hasMore] = [0, BODY_LIMIT, false];

  function text(name: string): PartSink {
    const pieces = upload.keep();
    const spend = (bytes: number) => {
      room -= bytes;
      if (room < 0) throw new HttpError('too-long', bodyTooLarge);
    };
    spend(Buffer.byteLength(name));
    return {
      take(bytes) {
        spend(bytes.length);
        pieces.add(bytes);
      },
      end: () => void texts.push([name, decode(pieces.join())]),
    };
  }

  function file(name: string): PartSink {
    const pieces = upload.keep();
    let size = 0;
    let isTooLarge = false;
    return {
      take(bytes) {
        if (files.length === mediaUpload.files) hasMore = true;
        if (isTooLarge || hasMore) return;
        if (size + bytes.length > mediaUpload.bytes) {
          isTooLarge = true;
          if (tooLarge.length < mediaUpload.files) tooLarge.push(name);
          pieces.drop();
          return;
        }
        size += bytes.length;
        pieces.add(bytes);
      },
      // A field in which no file was chosen comes as an empty one.
      end: () => void (size > 0 && !isTooLarge && files.push({ name, bytes: pieces.join() })),
    };
  }

  return {
    onPart({ name, fileName }: { name: string; fileName: string | null }): PartSink {
      parts += 1;
      if (parts > PART_LIMIT || texts.length > FIELD_LIMIT) throw badRequest('The form has too many fields');
      if (fileName === null) return text(name);
      if (fileName.length > NAME_LENGTH) throw badRequest('The name of a file is too long');
      return file(fileName);
    },
    whole: (): Parts => ({ texts, files, hasMore, tooLarge, isCut: false }),
  };
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw badRequest('The text is not UTF-8');
  }
}

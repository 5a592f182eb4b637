import { badRequest, type HttpError } from '#api/http/answers.ts';

/** Where the bytes of one part go. */
export type PartSink = Readonly<{
  /** Some of its bytes, in their order: a view of what was written, good until it returns. */
  take(bytes: Uint8Array): void;
  /** The part is whole. */
  end(): void;
}>;

/** What a part says of itself. `fileName` is null for a text, and empty for a field in which no file was chosen. */
export type PartHead = Readonly<{ name: string; fileName: string | null }>;

/** Bytes of a part's headers. */
const HEADERS_LIMIT = 2_048;
/** Bytes before the first boundary; browsers send none. */
const PREAMBLE_LIMIT = 2_048;
/** Bytes of a chunk that are joined at a time to what waits from the one before. */
const JOINED = 4_096;
const [LINE, EMPTY_LINE, DASHES] = ['\r\n', '\r\n\r\n', '--'];
const CR = 0x0d;
const PREAMBLE: PartSink = { take() {}, end() {} };

/**
 * Takes `multipart/form-data` apart as it comes. `onPart` gets each part's head and says where its bytes go; what it or a sink
 * throws ends the reading. `write` and `end` throw 400 for what is no form and for headers of more than 2 KiB, as soon as it
 * is seen. Between two writes no more is held than that.
 */
export function multipartReader(contentType: string, onPart: (head: PartHead) => PartSink) {
  const delimiter = Buffer.from(`${LINE}${DASHES}${boundaryOf(contentType)}`);
  let state: 'preamble' | 'content' | 'boundary' | 'headers' | 'done' = 'preamble';
  let part = PREAMBLE;
  let preamble = 0;
  // Nothing but the beginning stands before the first boundary.
  let rest: Buffer = Buffer.from(LINE);

  /** Handles what `data` begins with; answers how many bytes that was, 0 when more must come first. */
  function step(data: Buffer): number {
    if (state === 'done') return data.length;
    if (state === 'boundary') return afterBoundary(data);
    if (state === 'headers') return headers(data);
    const found = data.indexOf(delimiter);
    const end = found === -1 ? data.length - possibleStart(data) : found;
    if (state === 'preamble') preamble += end;
    if (preamble > PREAMBLE_LIMIT) throw unreadable();
    if (end > 0) part.take(data.subarray(0, end));
    if (found === -1) return end;
    part.end();
    state = 'boundary';
    return found + delimiter.length;
  }

  /** How many of the last bytes may be the beginning of a boundary. Mostly none: then the next bytes need no copy to be joined to them. */
  function possibleStart(data: Buffer): number {
    let at = data.indexOf(CR, Math.max(0, data.length - delimiter.length + 1));
    while (at !== -1 && !data.subarray(at).equals(delimiter.subarray(0, data.length - at))) {
      at = data.indexOf(CR, at + 1);
    }
    return at === -1 ? 0 : data.length - at;
  }

  function afterBoundary(data: Buffer): number {
    if (data.length < LINE.length) return 0;
    const next = data.toString('latin1', 0, LINE.length);
    if (next !== LINE && next !== DASHES) throw unreadable();
    state = next === LINE ? 'headers' : 'done';
    return LINE.length;
  }

  function headers(data: Buffer): number {
    const end = data.indexOf(EMPTY_LINE);
    const length = end === -1 ? data.length - EMPTY_LINE.length : end;
    if (length > HEADERS_LIMIT) throw badRequest('A name in the form is too long');
    if (end === -1) return 0;
    part = onPart(headOf(data.toString('utf8', 0, end)));
    state = 'content';
    return end + EMPTY_LINE.length;
  }

  /** Handles as much of `data` as it can; answers what must wait for more. */
  function stepThrough(data: Buffer): Buffer {
    for (let done = -1; done !== 0 && data.length > 0; ) {
      done = step(data);
      data = data.subarray(done);
    }
    return data;
  }

  return {
    write(chunk: Uint8Array): void {
      let data: Buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      // Only as much of a long chunk is copied as it takes to read on: fresh memory for all of it costs more than the reading.
      while (rest.length > 0 && data.length > 0) {
        const joined = Buffer.concat([rest, data.subarray(0, JOINED)]);
        data = data.subarray(JOINED);
        rest = Buffer.from(stepThrough(joined));
      }
      if (data.length > 0) rest = Buffer.from(stepThrough(data));
    },
    end(): void {
      if (state !== 'done') throw unreadable();
    },
  };
}

function boundaryOf(contentType: string): string {
  const [, quoted, plain] =
    /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw unreadable();
  return boundary;
}

/** The head of a part, as browsers write it: in UTF-8, quotes and line ends of a name as `%22`, `%0D` and `%0A`. */
function headOf(headers: string): PartHead {
  const line = headers.split(LINE).find((one) => /^content-disposition:/i.test(one));
  const parameters =
    /^content-disposition:\s*form-data((?:\s*;\s*[a-z*-]+=(?:"[^"]*"|[^\s";]+))*)(?:\s*;)?\s*$/i.exec(
      line ?? '',
    )?.[1];
  if (parameters === undefined) throw unreadable();
  const given = new Map<string, string>();
  for (const [, key = '', quoted, plain = ''] of parameters.matchAll(
    /;\s*([a-z*-]+)=(?:"([^"]*)"|([^\s";]+))/gi,
  )) {
    given.set(key.toLowerCase(), unescaped(quoted ?? plain));
  }
  const name = given.get('name');
  if (name === undefined) throw unreadable();
  return { name, fileName: given.get('filename') ?? null };
}

function unescaped(text: string): string {
  return text.replace(/%0A|%0D|%22/gi, (code) => decodeURIComponent(code));
}

function unreadable(): HttpError {
  return badRequest('The form cannot be read');
}

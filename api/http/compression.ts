import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip';
export type Bytes = Uint8Array<ArrayBuffer>;

const toGzip = promisify(gzip);
const toBrotli = promisify(brotliCompress);

const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Below this many bytes a compressed answer gains nothing. */
const worthwhile = 512;

/** Encodings that the request accepts, the best first. A quality of 0 is a refusal. */
export function acceptedEncodings(header: string | null): Encoding[] {
  const offers = (header ?? '')
    .toLowerCase()
    .split(',')
    .map((offer) => offer.trim());
  const accepts = (name: Encoding) =>
    offers.some((offer) => offer.split(';', 1)[0] === name && !/;\s*q=0(\.0*)?$/.test(offer));
  return (['br', 'gzip'] as const).filter(accepts);
}

/** Whether bytes of this content type and length are worth compressing. */
export function isCompressible(contentType: string, length: number): boolean {
  return length >= worthwhile && /^(text\/|application\/(json|manifest\+json)|image\/svg)/.test(contentType);
}

/** Compresses off the main thread. */
export async function compress(bytes: Bytes, encoding: Encoding): Promise<Bytes> {
  return new Uint8Array(
    encoding === 'gzip' ? await toGzip(bytes, { level: 9 }) : await toBrotli(bytes, brotli),
  );
}

/** Compressed forms of bytes that are sent often: gzip at once; brotli, slow at this quality, joins when it is done. */
export async function compressedForms(bytes: Bytes): Promise<Map<Encoding, Bytes>> {
  const forms = new Map<Encoding, Bytes>([['gzip', await compress(bytes, 'gzip')]]);
  void compress(bytes, 'br').then((compressed) => forms.set('br', compressed));
  return forms;
}

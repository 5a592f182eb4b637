import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import type { StaticFile } from '#api/deps.ts';
import {
  acceptedEncodings,
  type Bytes,
  compress,
  contentTypeOf,
  type Encoding,
  filesBelow,
  isCompressible,
  readCompressed,
} from '#api/runtime/compression.ts';

const immutable = 'public, max-age=31536000, immutable';
const revalidated = 'no-cache';
const brief = 'public, max-age=3600';

/**
 * Reads the built site into memory: the path that a browser asks for → its file. Pages lose `.html`, index pages
 * their name. Shells, which stand for the signed-in account, are never stored by a browser; hashed files for a year.
 * `compressed` is the folder that `compressFiles` wrote; without it files go out as they are.
 */
export async function readStaticFiles(
  folder: string,
  pageHeaders: (path: string) => Readonly<Record<string, string>>,
  compressed?: string,
): Promise<Map<string, StaticFile>> {
  const forms = compressed === undefined ? new Map() : await readCompressed(compressed);
  const files = await Promise.all(
    (await filesBelow(folder)).map(async (path) => {
      const name = path.slice(folder.length).split(sep).join('/');
      const file = await readStaticFile(path, name, pageHeaders);
      return [pagePath(name), { ...file, encoded: forms.get(relative(folder, path)) ?? new Map() }] as const;
    }),
  );
  return new Map(files);
}

/** Answers GET and HEAD with a file: 304 where the browser has it already, compressed where it may be. */
export function sendFile(file: StaticFile, request: Request, status = 200): Response {
  const { etag } = file.headers;
  if (status === 200 && etag && matches(request.headers.get('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers: file.headers });
  }
  const accepted = acceptedEncodings(request.headers.get('accept-encoding'));
  const encoding = accepted.find((candidate) => file.encoded.has(candidate));
  const bytes = (encoding && file.encoded.get(encoding)) ?? file.bytes;
  const headers = new Headers(file.headers);
  if (status !== 200) {
    headers.delete('etag');
    headers.set('cache-control', 'no-store');
  }
  headers.set('content-length', String(bytes.length));
  if (encoding) headers.set('content-encoding', encoding);
  return new Response(request.method === 'HEAD' ? null : bytes, { status, headers });
}

async function readStaticFile(
  path: string,
  name: string,
  pageHeaders: (path: string) => Readonly<Record<string, string>>,
): Promise<Omit<StaticFile, 'encoded'>> {
  const bytes = new Uint8Array(await readFile(path));
  const isPage = name.endsWith('.html');
  const contentType = contentTypeOf(name);
  const compressible = isCompressible(contentType, bytes.length);
  const isShell = isPage && /<html[^>]*\bdata-guarded/.test(new TextDecoder().decode(bytes.subarray(0, 300)));
  const headers = {
    'content-type': contentType,
    'cache-control': isShell ? 'no-store' : cacheControl(name, isPage),
    ...(isShell ? {} : { etag: etagOf(bytes) }),
    ...(compressible ? { vary: 'accept-encoding' } : {}),
    ...(isPage ? pageHeaders(pagePath(name)) : {}),
  };
  return { bytes, headers };
}

/** Weak, as it stands for the compressed forms too. */
export function etagOf(bytes: Bytes): string {
  return `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
}

function cacheControl(name: string, isPage: boolean): string {
  if (name.startsWith('/_astro/')) return immutable;
  // A worker of the release before must not be handed out.
  return isPage || name === '/sw.js' ? revalidated : brief;
}

function pagePath(name: string): string {
  return name.replace(/\.html$/, '').replace(/\/index$/, '') || '/';
}

/** Weakly, as If-None-Match is compared: proxies that compress make strong tags weak, and the other way round. */
function matches(header: string | null, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  const known = (header ?? '').split(',').map(opaque);
  return known.includes('*') || known.includes(opaque(etag));
}

/** Compressed forms of bytes that are sent often: gzip at once; brotli, slow at this quality, joins when it is done. */
export async function compressedForms(bytes: Bytes): Promise<Map<Encoding, Bytes>> {
  const forms = new Map<Encoding, Bytes>([['gzip', await compress(bytes, 'gzip')]]);
  void compress(bytes, 'br').then((compressed) => forms.set('br', compressed));
  return forms;
}

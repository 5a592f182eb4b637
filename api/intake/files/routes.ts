import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { notFound } from '#api/http/http-errors.ts';
import { DATA_CSP } from '#api/http/security-headers.ts';
import { Lru } from '#core/event-store/lru.ts';
import { withoutContact } from '#core/values/contact-in-text.ts';
import { isMediaLink } from './media-link.ts';
import { findFile, isFileId } from './stored-files.ts';

/** Logos in memory, by id: each is at most some ten thousand bytes, and never changes. */
const CACHED = 200;

/** GET /logos/{key}, outside `/api`: a picture for everybody, for ever. */
export function logoRoutes(deps: Pick<Deps, 'files'>) {
  const cached = new Lru<string, Uint8Array>(CACHED);
  const answer = async ({ params }: { params: { key: string } }) => {
    if (!isFileId(params.key)) throw notFound();
    const bytes = cached.get(params.key) ?? (await deps.files.get(`logos/${params.key}`));
    if (!bytes) throw notFound();
    cached.set(params.key, bytes);
    return fileAnswer(bytes, {
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
    });
  };
  return new Elysia({ name: 'logos' }).get('/logos/:key', answer).head('/logos/:key', answer);
}

/**
 * GET /media/{id}?exp&sig: a customer's file, to be saved and not opened. The link is its own proof: it comes with a job's
 * answer and is good for ten minutes. Anything else is not found.
 */
export function mediaRoutes(deps: Pick<Deps, 'config' | 'db' | 'files' | 'now'>) {
  return new Elysia({ name: 'media' }).get('/media/:id', async ({ params: { id }, query }) => {
    const now = deps.now();
    if (!isFileId(id) || !isMediaLink(deps.config, { id, ...query }, now)) throw notFound();
    const file = await findFile(deps.db, id, now);
    const bytes = file?.kind === 'media' ? await deps.files.get(`media/${id}`) : null;
    if (!file || !bytes) throw notFound();
    return fileAnswer(bytes, {
      'content-type': file.mime,
      'content-disposition': attachment(file.name),
      'cache-control': 'private, max-age=300',
    });
  });
}

function fileAnswer(bytes: Uint8Array, headers: Readonly<Record<string, string>>): Response {
  return new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: { 'content-security-policy': DATA_CSP, 'content-length': String(bytes.length), ...headers },
  });
}

/**
 * RFC 6266: the name in plain letters for old browsers, in full for the others. Without contact in it, because the link
 * is good before the job is accepted.
 */
function attachment(given: string): string {
  const end = Math.max(0, given.lastIndexOf('.'));
  const name = withoutContact(given.slice(0, end), 'contact') + given.slice(end);
  const plain = name.replace(/[^A-Za-z0-9 ._-]/g, '_');
  const full = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${full}`;
}

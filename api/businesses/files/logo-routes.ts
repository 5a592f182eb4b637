import { Elysia } from 'elysia';
import { LRUCache } from 'lru-cache';
import { isFileId } from '#api/businesses/stored-files.ts';
import type { Deps } from '#api/deps.ts';
import { notFound } from '#api/http/answers.ts';
import { fileAnswer } from '#api/http/file-answer.ts';

/** Logos in memory, by id: each is at most some ten thousand bytes, and never changes. */
const CACHED = 200;

/** GET /logos/{key}, outside `/api`: a picture for everybody, for ever. */
export function logoRoutes(deps: Pick<Deps, 'files'>) {
  const cached = new LRUCache<string, Uint8Array>({ max: CACHED });
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

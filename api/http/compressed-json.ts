import { acceptedEncodings, compressOnce, isCompressible } from '#api/runtime/compression.ts';

/**
 * Compresses what a read answers as JSON. Answers of writes stay as they are: some hold a token beside what was sent, whose
 * length would tell of it.
 */
export function compressedJson(request: Request, answer: Response): Response | Promise<Response> {
  const type = answer.headers.get('content-type') ?? '';
  const isRead = request.method === 'GET' && answer.status === 200 && type.startsWith('application/json');
  return isRead && !answer.headers.has('content-encoding') ? compressed(request, answer, type) : answer;
}

async function compressed(request: Request, answer: Response, type: string): Promise<Response> {
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const headers = new Headers(answer.headers);
  if (!isCompressible(type, bytes.length)) return new Response(bytes, { headers });
  headers.append('vary', 'accept-encoding');
  if (!acceptedEncodings(request.headers.get('accept-encoding')).includes('gzip'))
    return new Response(bytes, { headers });
  headers.set('content-encoding', 'gzip');
  headers.delete('content-length');
  return new Response(await compressOnce(bytes), { headers });
}

/**
 * Whether a request wants to know of something and does not take it: HEAD, and a piece of it by Range, as link checkers, previews and
 * download managers ask. Nothing is spent or noted for it.
 */
export function onlyLooks({ method, headers }: Pick<Request, 'method' | 'headers'>): boolean {
  return method === 'HEAD' || headers.has('range');
}

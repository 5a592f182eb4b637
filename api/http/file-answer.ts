import { DATA_CSP } from './edge.ts';

/** Bytes that a browser runs nothing of, whatever they hold. */
export function fileAnswer(bytes: Uint8Array, headers: Readonly<Record<string, string>>): Response {
  return new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: { 'content-security-policy': DATA_CSP, 'content-length': String(bytes.length), ...headers },
  });
}

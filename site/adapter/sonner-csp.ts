import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

type Hash = `sha256-${string}`;

/**
 * The CSP hashes of the style element that sonner adds to a page: its text, and the empty text it starts as.
 * Read from the installed package at build time, so that an update cannot leave them behind.
 */
export const sonnerStyleHashes: readonly Hash[] = ['', installedStyles()].map(hash);

function installedStyles(): string {
  const source = readFileSync(fileURLToPath(import.meta.resolve('sonner')), 'utf8');
  const literal = /__insertCSS\((".*?")\);\n/s.exec(source)?.[1];
  if (!literal) throw new Error('sonner no longer inserts its styles as this build expects');
  return JSON.parse(literal);
}

function hash(text: string): Hash {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

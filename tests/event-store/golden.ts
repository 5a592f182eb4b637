import { createHash } from 'node:crypto';
import type { KnownEvent } from '#core/event-store/event-types.ts';
import type { RawEvent } from '#core/event-store/raw-log.ts';

/** An event exactly as some release stored it, and how today's release must read it. Written once, never changed. */
export type Golden = Readonly<{ stored: RawEvent; event: KnownEvent }>;

export const goldenFolder = new URL('./golden/', import.meta.url);

export function goldenFile(type: string, version: number): URL {
  return new URL(`${type}.v${version}.json`, goldenFolder);
}

/** The key that a subject has in golden files: no person's, so it may be known. */
export function goldenKey(subject: string): Buffer {
  return createHash('sha256').update(`golden/${subject}`).digest();
}

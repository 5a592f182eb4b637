import { sha256 } from '@noble/hashes/sha2.js';
import type { JobRecord } from '#core/proof/record.ts';
import type { RecordAudience } from '#core/values/stored-details.ts';
import { pathOf } from '#site/jobs/jobs-api.ts';
import { request } from '#site/lib/http/api.ts';

/** A record that was made. `fingerprint` is the SHA-256 of the file in hex; of files and photos `hashes` has theirs, by their ids. */
export type RecordFile = Readonly<{
  name: string;
  text: string;
  fingerprint: string;
  madeAt: string;
  log: Readonly<{ origin: string; size: string; root: string; key: string }>;
  hashes: ReadonlyMap<string, string>;
}>;

/** Makes a record of the job up to a revision; the job's history names it from then on. Rejects with an ApiError. */
export async function makeRecord(
  jobId: string,
  wanted: Readonly<{ audience: RecordAudience; upTo: number }>,
): Promise<RecordFile> {
  const path = `${pathOf(jobId)}/record` as const;
  const made = await request('POST', path, { body: wanted });
  return readFile(made.fileName, made.record);
}

export function readFile(name: string, text: string): RecordFile {
  const { made, log, checkpoint, files, events } = JSON.parse(text) as JobRecord;
  const [, size = '', root = ''] = checkpoint.split('\n');
  const bytes = sha256(new TextEncoder().encode(text));
  return {
    ...{ name, text, madeAt: made.at },
    fingerprint: hexOf(bytes),
    log: { origin: log.origin, size, root, key: log.vkeys.at(-1) ?? '' },
    hashes: new Map([
      ...files.flatMap(({ id, sha256: hash }) => (hash ? [[id, hash] as const] : [])),
      ...events.flatMap(({ type, data }) => (type === 'JobPhotoAdded' ? [photoHash(data)] : [])),
    ]),
  };
}

/** A photo of the work has its hash in the event that added it, in base64. */
function photoHash({ photoId, sha256: hash }: JobRecord['events'][number]['data']) {
  const bytes = Uint8Array.from(atob(String(hash)), (one) => one.charCodeAt(0));
  return [String(photoId), hexOf(bytes)] as const;
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

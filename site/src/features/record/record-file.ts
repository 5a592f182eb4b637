import { sha256 } from '@noble/hashes/sha2.js';
import type { JobRecord } from '#core/proof/record.ts';
import type { RecordAudience } from '#core/values/stored-details.ts';
import { pathOf } from '#site/jobs/jobs-api.ts';
import { request } from '#site/lib/http/api.ts';

/** A record that was made. `fingerprint` is the SHA-256 of the file in hex; of files `hashes` has theirs, by the file's id. */
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
  const { made, log, checkpoint, files } = JSON.parse(text) as JobRecord;
  const [, size = '', root = ''] = checkpoint.split('\n');
  const bytes = sha256(new TextEncoder().encode(text));
  return {
    ...{ name, text, madeAt: made.at },
    fingerprint: [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
    log: { origin: log.origin, size, root, key: log.vkeys.at(-1) ?? '' },
    hashes: new Map(files.flatMap(({ id, sha256: hash }) => (hash ? [[id, hash] as const] : []))),
  };
}

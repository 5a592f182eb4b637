import { createHash, createPublicKey, verify } from 'node:crypto';

/**
 * A second check of a job record, written from `core/proof/FORMAT.md` alone: it shares no code with the first. Answers what
 * it finds proven, as `<revision>` and `<revision>/<field>`; null when anything does not fit.
 */
export function secondCheck(bytes: Uint8Array): string[] | null {
  try {
    return proven(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return null;
  }
}

class Misfit extends Error {}

function must(fits: unknown): asserts fits {
  if (!fits) throw new Misfit();
}

/** What a file holds is not known before it is looked at. */
type Any = any;

function proven(text: string): string[] {
  const record: Any = JSON.parse(text);
  must(canonical(record) === text);
  must(record.format === 'ute-job-record/1');
  const { attested = [], ...members } = record;
  must(
    Object.keys(members).sort().join() ===
      'anchors,asAt,checkpoint,events,files,format,job,log,made,statement',
  );
  const keys: Key[] = record.log.vkeys.map(keyOf);
  const checkpoint = noteOf(record.checkpoint, keys);
  const [origin, size, root, end] = checkpoint.text.split('\n');
  must(origin === record.log.origin && end === '' && checkpoint.text.split('\n').length === 4);
  must(checkpoint.right.some(({ name, type }) => type === 1 && name === origin));
  const head = { size: Number(size), root: decoded(root) };
  must(record.asAt.size <= head.size && record.events.length > 0);

  const found: string[] = [];
  let before: { index: number; hash: Buffer } | null = null;
  for (const [revision, event] of record.events.entries()) {
    const { prev, stream, id, type, schema, at, data, metadata, index } = event;
    must(event.revision === revision && stream === `job-${record.job}`);
    must(prev === (before ? before.hash.toString('hex') : null));
    must(index > (before?.index ?? -1) && index < record.asAt.size);
    const hash = sha(canonical({ prev, stream, revision, id, type, schema, at, data, metadata }));
    must(rootFrom(sha([0], hash), index, head.size, event.proof.map(decoded)).equals(head.root));
    found.push(String(revision), ...fieldsOf(event).map((field) => `${revision}/${field}`));
    before = { index, hash };
  }
  for (const anchor of record.anchors) must(isBeginning(anchor, head));
  for (const { note, timestamps, proof, ...others } of attested) {
    const [name, size, root, rest] = noteOf(note, keys).text.split('\n');
    must(name === origin && rest === '' && Object.keys(others).length === 0);
    must(isBeginning({ size: Number(size), root, proof }, head));
    for (const stamp of timestamps) must(Object.keys(stamp).sort().join() === 'by,token');
  }
  const { statement, ...rest } = record;
  const note = noteOf(statement, keys);
  must(note.unknown === 0 && note.right.length > 0);
  const last = record.events.length - 1;
  must(
    note.text ===
      `${origin}/record\njob-${record.job}\n${record.asAt.size}\n0 ${last}\n${sha(canonical(rest)).toString('base64')}\n`,
  );
  return found;
}

function fieldsOf({ data, digests, openings, withheld, stated }: Any): string[] {
  if (Object.keys(digests).length > 0)
    must(data.personal.com === sha(canonical(digests)).toString('base64url'));
  if (data.personal?.com !== undefined) must(Object.keys(stated).length === 0);
  must(Object.values(withheld).every((reason) => reason === 'erased' || reason === 'not-for-you'));
  return Object.entries<Any>(openings).map(([field, [salt, value]]) => {
    must(digests[field] === sha(canonical([salt, field, value])).toString('base64url'));
    return field;
  });
}

type Key = { name: string; id: Buffer; type: number; key: Buffer };

function keyOf(vkey: string): Key {
  const [, name = '', id = '', encoded] = /^([^\s+]+)\+([0-9a-f]{8})\+(.+)$/.exec(vkey) ?? [];
  const bytes = decoded(encoded);
  must(bytes.length === 33 && (bytes[0] === 1 || bytes[0] === 4));
  must(sha(`${name}\n`, bytes).subarray(0, 4).toString('hex') === id);
  return { name, id: Buffer.from(id, 'hex'), type: bytes[0] as number, key: bytes.subarray(1) };
}

function noteOf(note: string, keys: readonly Key[]): { text: string; right: Key[]; unknown: number } {
  const cut = note.lastIndexOf('\n\n');
  must(cut > 0 && note.endsWith('\n'));
  const text = note.slice(0, cut + 1);
  const right: Key[] = [];
  let unknown = 0;
  for (const line of note.slice(cut + 2, -1).split('\n')) {
    const [, name, encoded] = /^— (\S+) (\S+)$/.exec(line) ?? [];
    must(name !== undefined);
    const bytes = decoded(encoded);
    const key = keys.find((one) => one.name === name && one.id.equals(bytes.subarray(0, 4)));
    if (!key) {
      unknown += 1;
      continue;
    }
    const isTimed = key.type === 4;
    const message = isTimed ? `cosignature/v1\ntime ${bytes.readBigUInt64BE(4)}\n${text}` : text;
    const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), key.key]);
    const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' });
    must(verify(null, Buffer.from(message), publicKey, bytes.subarray(isTimed ? 12 : 4)));
    right.push(key);
  }
  return { text, right, unknown };
}

/** RFC 9162, section 2.1.3.2. */
function rootFrom(leaf: Buffer, index: number, size: number, proof: readonly Buffer[]): Buffer {
  let [fn, sn, r] = [index, size - 1, leaf];
  for (const p of proof) {
    must(sn > 0);
    if (fn % 2 === 1 || fn === sn) {
      r = sha([1], p, r);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn >> 1, sn >> 1];
    } else r = sha([1], r, p);
    [fn, sn] = [fn >> 1, sn >> 1];
  }
  must(sn === 0);
  return r;
}

/** RFC 9162, section 2.1.4.2. */
function isBeginning(anchor: Any, second: { size: number; root: Buffer }): boolean {
  const first = { size: anchor.size, root: decoded(anchor.root) };
  let path: Buffer[] = anchor.proof.map(decoded);
  if (first.size === second.size) return path.length === 0 && first.root.equals(second.root);
  must(first.size > 0 && first.size < second.size && path.length > 0);
  if ((first.size & (first.size - 1)) === 0) path = [first.root, ...path];
  let [fn, sn] = [first.size - 1, second.size - 1];
  while (fn % 2 === 1) [fn, sn] = [fn >> 1, sn >> 1];
  let [fr, sr] = [path[0] as Buffer, path[0] as Buffer];
  for (const c of path.slice(1)) {
    must(sn > 0);
    if (fn % 2 === 1 || fn === sn) {
      [fr, sr] = [sha([1], c, fr), sha([1], c, sr)];
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn >> 1, sn >> 1];
    } else sr = sha([1], sr, c);
    [fn, sn] = [fn >> 1, sn >> 1];
  }
  return sn === 0 && fr.equals(first.root) && sr.equals(second.root);
}

function decoded(text: string | undefined): Buffer {
  const bytes = Buffer.from(text ?? '', 'base64');
  must(bytes.toString('base64') === text);
  return bytes;
}

function sha(...parts: readonly (string | Uint8Array | number[])[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(Array.isArray(part) ? Uint8Array.from(part) : part);
  return hash.digest();
}

function canonical(value: Any): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}

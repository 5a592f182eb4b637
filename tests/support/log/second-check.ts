import { createHash, createPublicKey, verify } from 'node:crypto';
import { isOfPrimeOrder } from './second-curve.ts';

/** What a reader has from elsewhere: notes of checkpoints or lines of receipts, and whole keys. */
type Has = Readonly<{ checkpoints?: readonly string[]; keys?: readonly string[] }>;

type Found = Readonly<{
  proven: readonly string[];
  unconfirmed: readonly string[];
  isStatementKnown: boolean;
}>;

/**
 * A second check of a job record, written from `core/proof/FORMAT.md` alone: it shares no code with the first. Answers what is proven by
 * what the reader has, and what only the record's key says, as `<revision>` and `<revision>/<field>`; null when anything does not fit.
 */
export function secondCheck(bytes: Uint8Array, has: Has = {}): Found | null {
  try {
    return checked(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), has);
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

function checked(text: string, has: Has): Found {
  const record: Any = JSON.parse(text);
  must(canonical(record) === text);
  must(record.format === 'ute-job-record/1');
  members(record, 'anchors,asAt,checkpoint,events,files,format,job,log,made,statement', 'attested');
  members(record.made, 'at,audience,by', 'timeZone');
  const keys: Key[] = record.log.vkeys.map(keyOf);
  must(new Set(keys.map(({ name, id }) => `${name} ${id.toString('hex')}`)).size === keys.length);
  const checkpoint = noteOf(record.checkpoint, keys);
  const { origin } = record.log;
  const head = headOf(checkpoint.text, origin);
  must(checkpoint.right.some(({ name, type }) => type === 1 && name === origin));
  must(record.asAt.size <= head.size && record.events.length > 0);

  const parts: { index: number; part: string }[] = [];
  let before: { index: number; hash: Buffer } | null = null;
  for (const [revision, event] of record.events.entries()) {
    members(
      event,
      'at,data,digests,id,index,metadata,openings,prev,proof,revision,schema,stated,stream,type,withheld',
    );
    const { prev, stream, id, type, schema, at, data, metadata, index } = event;
    must(event.revision === revision && stream === `job-${record.job}`);
    must(prev === (before ? before.hash.toString('hex') : null));
    must(index > (before?.index ?? -1) && index < record.asAt.size);
    const hash = sha(canonical({ prev, stream, revision, id, type, schema, at, data, metadata }));
    must(rootFrom(sha([0], hash), index, head.size, event.proof.map(decoded)).equals(head.root));
    parts.push({ index, part: String(revision) });
    for (const field of fieldsOf(event)) parts.push({ index, part: `${revision}/${field}` });
    before = { index, hash };
  }
  for (const anchor of record.anchors) must(isBeginning(anchor, head));
  for (const one of record.attested ?? []) {
    members(one, 'note,proof,timestamps');
    must(isBeginning({ ...headOf(noteOf(one.note, keys).text, origin), proof: one.proof }, head));
    for (const stamp of one.timestamps) members(stamp, 'by,token');
  }
  const { statement, ...rest } = record;
  const note = noteOf(statement, keys);
  must(note.unknown === 0 && note.right.length > 0);
  const last = record.events.length - 1;
  must(
    note.text ===
      `${origin}/record\njob-${record.job}\n${record.asAt.size}\n0 ${last}\n${sha(canonical(rest)).toString('base64')}\n`,
  );
  const { below, known } = vouchedFor(record, { keys, head, signers: checkpoint.right }, has);
  return {
    proven: parts.filter(({ index }) => index < below).map(({ part }) => part),
    unconfirmed: parts.filter(({ index }) => index >= below).map(({ part }) => part),
    isStatementKnown: note.right.some((key) => known.has(same(key))),
  };
}

/** "What that shows": up to which size what the reader has vouches for the log, and which of its keys the reader knows. */
function vouchedFor(
  record: Any,
  log: { keys: readonly Key[]; head: Head; signers: readonly Key[] },
  { checkpoints = [], keys: texts = [] }: Has,
): { below: number; known: Set<string> } {
  const { origin } = record.log;
  const readers = texts.map(keyOf);
  const known = new Set<string>();
  let below = 0;
  for (const text of checkpoints) {
    const [, size, root] = /^Log (\d+) · (\S+)(?: · key [0-9a-f]{8})?$/m.exec(text) ?? [];
    if (size === undefined && !text.startsWith(`${origin}\n`)) continue;
    const isSigned = text.includes('\n\n');
    const own = size === undefined && isSigned ? noteOf(text, log.keys) : null;
    if (own) noteOf(text, readers);
    for (const key of own?.right ?? []) if (key.name === origin) known.add(same(key));
    const head =
      size === undefined
        ? headOf(isSigned ? text.slice(0, text.indexOf('\n\n') + 1) : text, origin)
        : { size: Number(size), root: decoded(root) };
    const anchor = record.anchors.find((one: Any) => one.size === head.size);
    if (head.size !== log.head.size && !anchor) continue;
    must(isBeginning({ ...head, proof: head.size === log.head.size ? [] : anchor.proof }, log.head));
    below = Math.max(below, head.size);
  }
  for (const key of readers) {
    const isWitness = key.type === 4 && key.name !== origin;
    if (isWitness) {
      for (const { note } of record.attested ?? []) {
        const { text, right } = noteOf(note, [key]);
        if (right.length > 0) below = Math.max(below, headOf(text, origin).size);
      }
    } else if (key.name === origin) {
      must(log.signers.some((one) => same(one) === same(key)));
      known.add(same(key));
    }
  }
  return { below: log.signers.some((key) => known.has(same(key))) ? log.head.size : below, known };
}

const same = ({ name, type, key }: Key) => `${name} ${type} ${key.toString('hex')}`;

type Head = { size: number; root: Buffer };

function headOf(text: string, origin: string): Head {
  const [, name, size, root] = /^([^\n]+)\n(0|[1-9]\d*)\n([^\n]+)\n$/.exec(text) ?? [];
  must(name === origin && Number.isSafeInteger(Number(size)));
  const bytes = decoded(root);
  must(bytes.length === 32);
  return { size: Number(size), root: bytes };
}

/** An object with these members, named in order, and perhaps the optional one. */
function members(value: Any, names: string, optional = ''): void {
  const found = Object.keys(value).filter((name) => name !== optional);
  must(found.sort().join() === names);
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
  must(!/[^\n\P{Cc}]/u.test(text));
  const right: Key[] = [];
  let unknown = 0;
  const lines = note.slice(cut + 2, -1).split('\n');
  must(lines.length <= 100);
  for (const line of lines) {
    const [, name, encoded] = /^— ([^\s+]+) (\S+)$/.exec(line) ?? [];
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
    must(isOfPrimeOrder(key.key));
    must(verify(null, Buffer.from(message), publicKey, bytes.subarray(isTimed ? 12 : 4)));
    right.push(key);
  }
  return { text, right, unknown };
}

const half = (n: number) => Math.floor(n / 2);

/** RFC 9162, section 2.1.3.2. */
function rootFrom(leaf: Buffer, index: number, size: number, proof: readonly Buffer[]): Buffer {
  let [fn, sn, r] = [index, size - 1, leaf];
  for (const p of proof) {
    must(sn > 0);
    if (fn % 2 === 1 || fn === sn) {
      r = sha([1], p, r);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    } else r = sha([1], r, p);
    [fn, sn] = [half(fn), half(sn)];
  }
  must(sn === 0);
  return r;
}

/** RFC 9162, section 2.1.4.2. */
function isBeginning(anchor: Any, second: { size: number; root: Buffer }): boolean {
  const first = {
    size: anchor.size,
    root: typeof anchor.root === 'string' ? decoded(anchor.root) : anchor.root,
  };
  let path: Buffer[] = anchor.proof.map(decoded);
  if (first.size === second.size) return path.length === 0 && first.root.equals(second.root);
  must(first.size > 0 && first.size < second.size && path.length > 0);
  if (Number.isInteger(Math.log2(first.size))) path = [first.root, ...path];
  let [fn, sn] = [first.size - 1, second.size - 1];
  while (fn % 2 === 1) [fn, sn] = [half(fn), half(sn)];
  let [fr, sr] = [path[0] as Buffer, path[0] as Buffer];
  for (const c of path.slice(1)) {
    must(sn > 0);
    if (fn % 2 === 1 || fn === sn) {
      [fr, sr] = [sha([1], c, fr), sha([1], c, sr)];
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    } else sr = sha([1], sr, c);
    [fn, sn] = [half(fn), half(sn)];
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

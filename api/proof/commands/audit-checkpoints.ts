import { readFile } from 'node:fs/promises';
import type { Pool } from 'pg';
import { counted } from '#api/cli/report.ts';
import { type MacFault, macLook } from '#api/proof/audit.ts';
import { notesIn } from '#api/proof/checkpoint-store.ts';
import { contains } from '#api/proof/checkpoints.ts';
import { begunByUs, isBinding, readEpochs } from '#api/proof/epochs.ts';
import { readProofKeys } from '#api/proof/read.ts';
import { rootsAt, type WalkOptions } from '#api/proof/roots.ts';
import { FANOUT, LOWEST_LEVEL, sha256, storedSubtrees } from '#api/proof/tree.ts';
import type { Config } from '#api/runtime/config/config.ts';
import { logKeysOf } from '#api/runtime/config/proof.ts';
import { nodeHash } from '#core/crypto/merkle.ts';
import { type NoteVerifier, noteSigner, type OpenedNote, openNote } from '#core/crypto/note.ts';
import { type AuditOptions, macKeyOf } from '#core/event-store/chain.ts';
import { UnreadableError } from '#core/event-store/errors.ts';
import { type Keys, openCommitment, subjectsOf } from '#core/event-store/personal-fields.ts';
import type { LeafReader, RawEvent } from '#core/event-store/raw-log.ts';
import { createSubjectKeys } from '#core/event-store/subject-keys.ts';
import { type CheckpointBody, readCheckpoint } from '#core/proof/checkpoint.ts';
import { epochLines } from './proof.ts';

/** Notes that are stored elsewhere; `where` names the place, for operators. */
export type CheckpointSource = Readonly<{ where: string; text: string }>;

type Given = Readonly<{
  file: string;
  body: CheckpointBody;
  signature: string;
  isForged: boolean;
  /** Whether all witnesses signed it that were asked for. */
  isWitnessed: boolean;
}>;

export type CheckedCheckpoints = Readonly<{ lines: readonly string[]; fit: boolean }>;

/**
 * Compares the log with checkpoints that are stored elsewhere; with `witnesses` only with those that all of them signed. Of several
 * of one source the newest and the oldest that does not fit are named. Throws an error with one line when one has none.
 */
export async function checkCheckpoints(
  opened: Readonly<{ config: Config; pool: Pool; log: LeafReader; witnesses: readonly NoteVerifier[] }>,
  sources: readonly CheckpointSource[],
  options: WalkOptions,
): Promise<CheckedCheckpoints> {
  const { pool, log, witnesses } = opened;
  const known = await readProofKeys(pool);
  const all = sources.flatMap((source) => readGiven(source, opened, known));
  const epochs = await readEpochs(pool);
  const witnessed = all.filter(({ isWitnessed }) => isWitnessed);
  const outside = all.map(({ body }) => body);
  const begun = begunByUs(epochs, outside, logKeysOf(opened.config.proof));
  const given = witnessed.filter(({ body }) => isBinding(begun, body));
  const { size, roots } = await rootsAt(
    log,
    given.map(({ body }) => body.size),
    options,
  );
  const fits = ({ body }: Given) => {
    const root = roots.get(body.size);
    return root !== undefined && contains(root, body);
  };
  const forged = given.filter(({ isForged }) => isForged);
  const unfit = given.filter((one) => !fits(one)).toSorted((a, b) => a.body.size - b.body.size);
  const lines = sources.flatMap(({ where: file }) => {
    const newest = given
      .filter((one) => one.file === file && fits(one))
      .toSorted(bySize)
      .at(-1);
    return newest ? [`root at ${newest.body.size} is the one in ${file}, ${newest.signature}`] : [];
  });
  const [first] = unfit;
  if (first) lines.push(await misfitLine(pool, log, first, given.filter(fits), size));
  lines.push(
    ...forged.map(({ file, body }) => `the signature of checkpoint ${body.size} in ${file} is WRONG`),
  );
  lines.push(...epochLines(epochs, opened.config.proof));
  const lost = witnessed.length - given.length;
  if (lost > 0)
    lines.push(
      `${lost} ${lost === 1 ? 'checkpoint states' : 'checkpoints state'} events that a restore lost: not compared`,
    );
  if (witnessed.length === 0)
    lines.push(`no checkpoint is signed by ${witnesses.map(({ name }) => name).join(' and ')}`);
  return { lines, fit: unfit.length === 0 && forged.length === 0 && given.length > 0 };
}

const bySize = (a: Given, b: Given) => a.body.size - b.body.size;

async function misfitLine(
  pool: Pool,
  log: LeafReader,
  { body, file }: Given,
  fitting: readonly Given[],
  size: number,
): Promise<string> {
  if (body.size > size)
    return `the log ends at ${size}: ${counted(body.size - size, 'event')} of the checkpoint ${body.size} in ${file} ${body.size - size === 1 ? 'is' : 'are'} MISSING`;
  const before = fitting
    .filter((one) => one.body.size < body.size)
    .toSorted(bySize)
    .at(-1);
  const where = before
    ? `root fits at ${before.body.size} and NOT at ${body.size} (${file}): something between those two was changed`
    : `root does NOT fit at ${body.size} (${file}): something before it was changed`;
  const from = Math.floor((before?.body.size ?? 0) / FANOUT);
  const changed = await firstChanged(pool, log, from, Math.ceil(body.size / FANOUT));
  return changed === null
    ? where
    : `${where}; the first that differs is among leaves ${changed * FANOUT} to ${(changed + 1) * FANOUT - 1}`;
}

/** The first subtree of 256 leaves whose stored root is not that of the log; null when the stored ones were changed too. */
async function firstChanged(pool: Pool, log: LeafReader, from: number, to: number): Promise<number | null> {
  const subtree = storedSubtrees(pool, log);
  for (let n = from; n < to; n += 1) {
    try {
      const [stored, inLog] = [await subtree(LOWEST_LEVEL, n), await rootInLog(subtree, n)];
      if (!contains(stored, { root: inLog })) return n;
    } catch {
      return null;
    }
  }
  return null;
}

async function rootInLog(subtree: ReturnType<typeof storedSubtrees>, n: number): Promise<Uint8Array> {
  return nodeHash(sha256, await subtree(LOWEST_LEVEL - 1, n * 2), await subtree(LOWEST_LEVEL - 1, n * 2 + 1));
}

/** Reads files. Throws an error with one line for one that cannot be read. */
export function readSources(files: readonly string[]): Promise<CheckpointSource[]> {
  return Promise.all(
    files.map(async (where) => {
      const text = await readFile(where, 'utf8').catch(() => {
        throw new Error(`${where} cannot be read.`);
      });
      return { where, text };
    }),
  );
}

function readGiven(
  { where: file, text }: CheckpointSource,
  { config, witnesses }: Readonly<{ config: Config; witnesses: readonly NoteVerifier[] }>,
  known: readonly NoteVerifier[],
): Given[] {
  const given = notesIn(text).flatMap((note) => {
    const body = readCheckpoint(openNote(note, [])?.text ?? '');
    if (!body) return [];
    const own = config.proof ? [noteSigner(body.origin, config.proof.key).verifier] : [];
    const opened = openNote(note, [...own, ...known, ...witnesses]) as OpenedNote;
    const [signature] = opened.signatures;
    const isForged = opened.wrong.length > 0;
    const signedBy = new Set(opened.signatures.map(({ vkey }) => vkey));
    const isWitnessed = witnesses.every(({ vkey }) => signedBy.has(vkey));
    const names = [
      ...(signature ? [signature.vkey] : []),
      ...witnesses.map(({ name }) => `the witness ${name}`),
    ];
    return [
      {
        ...{ file, body, isForged, isWitnessed },
        signature: signature ? `signed by ${names.join(' and ')}` : 'signed by a key not known here',
      },
    ];
  });
  if (given.length === 0) throw new Error(`${file} has no checkpoint.`);
  return given;
}

type MacCheck = Required<Pick<AuditOptions, 'onPage'>> & { result(what: string): CheckedCheckpoints };

const faults: Readonly<Record<MacFault, string>> = {
  'mac-missing': 'it has no MAC',
  'mac-wrong': 'its MAC is not of this installation',
};

/** Compares the MAC of each event that an audit passes with this installation's key. Has a line only when one does not fit. */
export function checkMacs({ config }: Readonly<{ config: Pick<Config, 'keys'> }>): MacCheck {
  const macs = macLook(macKeyOf(config.keys.data));
  return {
    onPage: async (page) => macs.look(page),
    result(what) {
      const found = macs.found();
      if (!found) return { lines: [], fit: true };
      const { position, stream, revision, fault } = found.first;
      const place = `position ${position} (${stream}, revision ${revision})`;
      const line = `${what}: ${counted(found.count, 'event')} ${found.count === 1 ? 'was' : 'were'} NOT APPENDED BY THIS PRODUCT, the first at ${place}: ${faults[fault]}`;
      return { lines: [line], fit: false };
    },
  };
}

type Outcome = 'fits' | 'none' | 'erased' | { differs: string };

type Opening = Required<Pick<AuditOptions, 'onPage'>> & { result(what: string): CheckedCheckpoints };

/** Opens the personal fields of the events that an audit passes, with this installation's keys. */
export function openingOf({ config, pool }: Readonly<{ config: Config; pool: Pool }>): Opening {
  const keys = createSubjectKeys({ pool, dataKey: config.keys.data });
  const counts = { fits: 0, none: 0, erased: 0 };
  let differing = 0;
  let first: string | null = null;
  return {
    async onPage(page) {
      const sealed = page.filter((event) => subjectsOf([event]).length > 0);
      const found = await keys.find(subjectsOf(sealed));
      for (const event of sealed) {
        const outcome = outcomeOf(event, found);
        if (typeof outcome === 'string') {
          counts[outcome] += 1;
          continue;
        }
        differing += 1;
        first ??= `position ${event.position} (${event.stream}, revision ${event.revision}): ${outcome.differs}`;
      }
    },
    result(what) {
      const lines = [
        `${what}: the personal fields of ${counts.fits} events are those that were sealed; ${counts.erased} are of people who were removed, ${counts.none} of before commitments`,
        ...(first ? [`${what}: ${differing} DO NOT OPEN as they were sealed, the first at ${first}`] : []),
      ];
      return { lines, fit: differing === 0 };
    },
  };
}

function outcomeOf(event: RawEvent, keys: Keys): Outcome {
  try {
    const { kind } = openCommitment(event, keys);
    return kind === 'differs' ? { differs: 'they are not those that were committed to' } : kind;
  } catch (error) {
    if (error instanceof UnreadableError) return { differs: error.message };
    throw error;
  }
}

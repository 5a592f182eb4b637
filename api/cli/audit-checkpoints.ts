import { readFile } from 'node:fs/promises';
import type { Pool } from 'pg';
import { notesIn } from '#api/providers/checkpoint-file.ts';
import type { Config } from '#api/runtime/config/config.ts';
import type { LeafReader } from '#core/event-store/raw-log.ts';
import { nodeHash } from '#core/proof/merkle.ts';
import {
  type CheckpointBody,
  noteSigner,
  type OpenedNote,
  openNote,
  readCheckpoint,
} from '#core/proof/note.ts';
import { contains } from '#projections/proof/checkpoints.ts';
import { readProofKeys } from '#projections/proof/read.ts';
import { rootsAt, type WalkOptions } from '#projections/proof/roots.ts';
import { FANOUT, LOWEST_LEVEL, sha256, storedSubtrees } from '#projections/proof/tree.ts';

type Given = Readonly<{ file: string; body: CheckpointBody; signature: string; isForged: boolean }>;

export type CheckedCheckpoints = Readonly<{ lines: readonly string[]; fit: boolean }>;

/**
 * Compares the log with checkpoints that are stored elsewhere. Of several of one file the newest and the oldest that does
 * not fit are named. Throws an error with one line when a file has none.
 */
export async function checkCheckpoints(
  { config, pool, log }: Readonly<{ config: Config; pool: Pool; log: LeafReader }>,
  files: readonly string[],
  options: WalkOptions,
): Promise<CheckedCheckpoints> {
  const given = (await Promise.all(files.map((file) => readGiven(file, config, pool)))).flat();
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
  const lines = files.flatMap((file) => {
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
  return { lines, fit: unfit.length === 0 && forged.length === 0 };
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
    return `the log ends at ${size}: ${body.size - size} events of the checkpoint ${body.size} in ${file} are MISSING`;
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

async function readGiven(file: string, config: Config, pool: Pool): Promise<Given[]> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(`${file} cannot be read.`);
  });
  const known = await readProofKeys(pool);
  const given = notesIn(text).flatMap((note) => {
    const body = readCheckpoint(openNote(note, [])?.text ?? '');
    if (!body) return [];
    const own = config.proof ? [noteSigner(body.origin, config.proof.key).verifier] : [];
    const opened = openNote(note, [...own, ...known]) as OpenedNote;
    const [signature] = opened.signatures;
    const isForged = opened.wrong.length > 0;
    return [
      {
        file,
        body,
        isForged,
        signature: signature ? `signed by ${signature.vkey}` : 'signed by a key not known here',
      },
    ];
  });
  if (given.length === 0) throw new Error(`${file} has no checkpoint.`);
  return given;
}

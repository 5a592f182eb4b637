import type { LogProof } from '#api/deps.ts';
import { toBase64 } from '#core/crypto/base64.ts';
import { keyIdOf, openNote } from '#core/crypto/note.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { readCheckpoint } from '#core/proof/checkpoint.ts';
import { openCheckpointStore } from './checkpoint-store.ts';
import { noteHandedOut } from './handed-out.ts';
import { type ManyRecordsDeps, openRecords } from './many-records.ts';
import { findCheckpoint, findMoment, readProofKeys, readProofStatus } from './read.ts';
import { type RecordDeps, recordIssuer } from './record.ts';
import { checkpointRequests, MOST_RECORDS, statementKeyOf } from './statements.ts';

export type ProofDeps = RecordDeps & Omit<ManyRecordsDeps, 'checkpointWith'>;

/** The door to the proof: what other rooms take of it. The process that signs is another matter (`process.ts`). */
export function createProof(deps: ProofDeps): LogProof {
  const { config, db, newId, now } = deps;
  const checkpointWith = checkpointRequests(db, statementKeyOf(config.keys.data), newId);
  const manyRecords = { ...deps, checkpointWith };
  return {
    findMoment: (at) => findMoment(db, deps, at),
    status: () => readProofStatus(db),
    newestNote: async () => (await findCheckpoint(db))?.note ?? null,
    recentNotes: async (most) =>
      config.proof ? openCheckpointStore(config.proof, config.backup).recent(most) : '',

    async receiptLine(jobId, position) {
      const { signed, stopped } = await readProofStatus(db);
      if (signed === null || stopped !== null) return null;
      const note = await checkpointWith(position);
      const keys = await readProofKeys(db);
      const opened = note === null ? null : openNote(note, keys);
      const body = readCheckpoint(opened?.text ?? '');
      const signer = keys.findLast(
        ({ kind, vkey }) => kind === 'signature' && opened?.signatures.some((line) => line.vkey === vkey),
      );
      if (!body || !signer) return null;
      await noteHandedOut(db, streamName('job', jobId), body, now());
      return `Log ${body.size} · ${toBase64(body.root)} · key ${keyIdOf(signer)}`;
    },

    async mailedCheckpoint(businessId) {
      const [checkpoint, keys] = await Promise.all([findCheckpoint(db), readProofKeys(db)]);
      const key = keys.findLast(({ kind }) => kind === 'signature');
      if (!checkpoint || !key) return null;
      if (businessId) await noteHandedOut(db, streamName('business', businessId), checkpoint, now());
      const { size, note, cosignatures } = checkpoint;
      return { size, note: note + cosignatures, key: { id: keyIdOf(key), vkey: key.vkey } };
    },

    issueRecord: recordIssuer(deps),
    mostRecords: MOST_RECORDS,
    openRecords: (given) => openRecords(manyRecords, given),
  };
}

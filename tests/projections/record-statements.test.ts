import { createHash, randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { signersOf } from '#api/proof/checkpoints.ts';
import { startProof } from '#api/proof/follow.ts';
import { findCheckpoint, readProofKeys } from '#api/proof/read.ts';
import { MOST_RECORDS, type RecordClaim, requestNote, requestStatements } from '#api/proof/statements.ts';
import { openNote, signNote } from '#core/crypto/note.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { readStatement } from '#core/proof/record.ts';
import { cause, newJobStream, notes } from '#tests/event-store/samples.ts';
import { proofStage } from '#tests/support/log/proof-stage.ts';

const stage = proofStage();
const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop()));
});

const sha256 = createHash('sha256').digest('base64');

/** A stream of so many events. */
async function aStream(amount: number): Promise<StreamName> {
  const stream = newJobStream();
  const events = Array.from({ length: amount }, (_, n) => notes(stream, n));
  await stage.store().append(stream, 'no-stream', events, cause);
  return stream;
}

const ask = (size: number, records: readonly RecordClaim[]) =>
  requestStatements(stage.pool(), stage.options().statementKey, randomUUID(), { size, records });
const asked = async () => (await stage.pool().query('select id from proof.statements')).rows.length;

test('many records are signed in one round, each by a statement of its own, as one alone is', async () => {
  const streams = await Promise.all(Array.from({ length: MOST_RECORDS }, (_, n) => aStream(1 + (n % 4))));
  await stage.prove();
  // Two processes, of which one leads.
  running.push(startProof(stage.options()), startProof(stage.options()));
  const { size = 0, origin } = (await findCheckpoint(stage.pool())) ?? {};
  const claims = streams.map((stream, n) => ({ stream, last: n % 4, sha256 }));
  const signed = await ask(size, claims);
  const keys = await readProofKeys(stage.pool());
  expect(signed).toHaveLength(MOST_RECORDS);
  for (const [n, note] of (signed ?? []).entries()) {
    const opened = openNote(note ?? '', keys);
    expect(opened).toMatchObject({ wrong: [], unknown: 0, signatures: [{ at: null }] });
    const { stream, last } = claims[n] as RecordClaim;
    expect(readStatement(opened?.text ?? '')).toEqual({ origin, stream, size, first: 0, last, sha256 });
  }
  const [first] = claims;
  const alone = await requestNote(stage.pool(), stage.options().statementKey, randomUUID(), {
    ...{ kind: 'record', size },
    ...(first as RecordClaim),
  });
  expect(alone).toBe(signed?.[0]);
  const [signer] = signersOf(origin ?? '', stage.options().keys);
  const text = openNote(alone ?? '', keys)?.text ?? '';
  expect(signNote(text, signer ? [signer] : [], new Date(0))).toBe(alone);
  // The answer about many was taken out of the table.
  expect(await asked()).toBe(1);
});

test('of a batch only what is so is signed, and nothing of one that is too large or of a size that was not signed', async () => {
  const [stream, other] = [await aStream(3), await aStream(2)];
  await stage.prove();
  running.push(startProof(stage.options()));
  const { size = 0 } = (await findCheckpoint(stage.pool())) ?? {};
  const mixed = await ask(size, [
    { stream, last: 2, sha256 },
    { stream, last: 1, sha256 },
    { stream: other, last: 2, sha256 },
    { stream: newJobStream(), last: 0, sha256 },
    { stream: other, last: 1, sha256 },
  ]);
  expect(mixed?.map((note) => note !== null)).toEqual([true, false, false, false, true]);
  // As the log stood after four events, the second stream had one.
  const before = await ask(4, [
    { stream, last: 2, sha256 },
    { stream: other, last: 0, sha256 },
    { stream: other, last: 1, sha256 },
  ]);
  expect(before?.map((note) => note !== null)).toEqual([true, true, false]);
  const many = Array.from({ length: MOST_RECORDS + 1 }, () => ({ stream, last: 2, sha256 }));
  expect(await Promise.all([ask(size, many), ask(size + 1, [{ stream, last: 2, sha256 }])])).toEqual([
    null,
    null,
  ]);
});

test('nothing is signed once the proof is stopped, nor where no process signs', async () => {
  const stream = await aStream(1);
  await stage.prove();
  const { size = 0 } = (await findCheckpoint(stage.pool())) ?? {};
  expect(await ask(size, [{ stream, last: 0, sha256 }])).toBeNull();
  await stage.pool().query("update proof.progress set stopped = 'log-changed'");
  running.push(startProof(stage.options()));
  expect(await ask(size, [{ stream, last: 0, sha256 }])).toBeNull();
});

import { expect, test } from 'vitest';
import { readEpoch } from '#api/proof/epochs.ts';
import { findCheckpoint, readHandovers, readProofKeys } from '#api/proof/read.ts';
import { type NoteVerifier, noteSigner, openNote } from '#core/crypto/note.ts';
import { proofStage } from '#tests/support/log/proof-stage.ts';

const stage = proofStage();
const DAY = 24 * 60;
const old = { key: Buffer.alloc(32, 1), clock: Buffer.alloc(32, 2) };
const next = { key: Buffer.alloc(32, 3), clock: Buffer.alloc(32, 4) };

async function verifier(seed: Buffer): Promise<NoteVerifier> {
  return noteSigner((await readEpoch(stage.pool()))?.origin ?? '', seed).verifier;
}

/** Whose signatures the newest checkpoint has, of the two keys. */
async function signedBy(): Promise<string[]> {
  const note = (await findCheckpoint(stage.pool()))?.note ?? '';
  const signatures = openNote(note, [await verifier(old.key), await verifier(next.key)])?.signatures ?? [];
  const ofOld = (await verifier(old.key)).vkey;
  return signatures.map(({ vkey }) => (vkey === ofOld ? 'old' : 'next'));
}

test('after a rotation both keys sign, and a note by both names the next', async () => {
  await stage.seed(5);
  await stage.prove({ keys: { ...old, before: null } });
  expect(await signedBy()).toEqual(['old']);
  await stage.seed(3);
  await stage.prove({ keys: { ...next, before: old } });
  expect((await signedBy()).toSorted()).toEqual(['next', 'old']);
  const [note = '', ...more] = await readHandovers(stage.pool());
  expect(more).toEqual([]);
  const [from, to] = [await verifier(old.key), await verifier(next.key)];
  expect(openNote(note, [from, to])).toEqual({
    text: `${to.name}/key\n${from.vkey}\n${to.vkey}\n8\n`,
    signatures: [from, to].map(({ name, vkey }) => ({ name, vkey, at: null })),
    ...{ wrong: [], unknown: 0 },
  });
});

test('ninety days later the new key signs alone, also while the one before is still given', async () => {
  const keys = { ...next, before: old };
  await stage.seed(1);
  await stage.prove({ keys });
  await stage.seed(1);
  await stage.prove({ keys }, 90 * DAY - 1);
  expect((await signedBy()).toSorted()).toEqual(['next', 'old']);
  await stage.seed(1);
  await stage.prove({ keys }, 2);
  expect(await signedBy()).toEqual(['next']);
  const { rows } = await stage
    .pool()
    .query<{ vkey: string }>('select vkey from proof.keys where until_size = 2 order by vkey');
  expect(rows).toHaveLength(2);
  expect(await readProofKeys(stage.pool())).toHaveLength(4);
  expect(await stage.stopped()).toBeNull();
});

test('a key that is lost hands nothing over, and the log goes on', async () => {
  await stage.seed(5);
  await stage.prove({ keys: { ...old, before: null } });
  await stage.seed(5);
  await stage.prove({ keys: { ...next, before: null } });
  expect(await signedBy()).toEqual(['next']);
  expect(await readHandovers(stage.pool())).toEqual([]);
});

import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AttestOptions, attestOnce } from '#api/proof/attestations/attest.ts';
import { httpTimestampAuthority, httpWitness } from '#api/proof/attestations/attesters.ts';
import {
  findCheckpoint,
  listAttested,
  readProofKeys,
  readTimestamps,
  readUnattested,
} from '#api/proof/read.ts';
import { type NoteVerifier, openNote } from '#core/crypto/note.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import {
  proofStage,
  type TimestampServer,
  timestampServer,
  type WitnessServer,
  witnessServer,
} from '#tests/support/log/proof-stage.ts';
import { rewriteStream } from '#tests/support/log/running-log.ts';

const stage = proofStage();
let first: WitnessServer;
let second: WitnessServer;
let authority: TimestampServer;
let warnings: object[];

/** The keys of the log, as its operator gives them to the witnesses. */
let keys: readonly NoteVerifier[] = [];

beforeEach(() => {
  first = witnessServer('witness.example/a', 21, () => keys);
  second = witnessServer('witness.example/b', 22, () => keys);
  authority = timestampServer();
  warnings = [];
});
afterEach(() => Promise.all([first.stop(), second.stop(), authority.stop()]));

async function attest(overrides: Partial<AttestOptions> = {}): Promise<void> {
  keys = await readProofKeys(stage.pool());
  const log = { info() {}, error() {}, warn: (line: object) => void warnings.push(line) };
  const options = {
    ...{ pool: stage.pool(), log: stage.store(), connectionString: '', now: stage.options().now },
    witnesses: [first, second].map(({ url, verifier }) => httpWitness(url, verifier)),
    authority: httpTimestampAuthority(authority.url),
  };
  await attestOnce({ ...options, ...overrides }, log);
}

const newest = async () => {
  const checkpoint = await findCheckpoint(stage.pool());
  if (!checkpoint) throw new Error('there is no checkpoint');
  return checkpoint;
};
/** As who owns the database would, to sign a log anew. */
async function forgetProof(): Promise<void> {
  await stage.admin().query('truncate proof.attestations, proof.checkpoints, proof.nodes, proof.marks');
  await stage.admin().query("update proof.progress set size = 0, position = 0, tail = ''");
}

/** Whose right lines are below the newest checkpoint. */
const cosigners = async () => {
  const { note, cosignatures } = await newest();
  const opened = openNote(note + cosignatures, [first.verifier, second.verifier]);
  return opened?.signatures.map(({ name }) => name);
};

test('each witness signs the newest checkpoint, and the next one after a proof that it contains the first', async () => {
  await stage.seed(3);
  await stage.prove();
  await attest();
  expect(await cosigners()).toEqual(['witness.example/a', 'witness.example/b']);
  await stage.seed(300);
  await stage.prove();
  expect(await cosigners()).toEqual([]);
  await attest();
  expect(await cosigners()).toEqual(['witness.example/a', 'witness.example/b']);
  expect(first.signed()?.size).toBe(303);
  expect(warnings).toEqual([]);
});

test('nothing new is not asked again, and nothing is asked before the first checkpoint', async () => {
  await attest();
  expect([first.asked(), authority.stamped.length]).toEqual([0, 0]);
  await stage.seed(3);
  await stage.prove();
  await attest();
  await attest();
  expect([first.asked(), authority.stamped.length]).toEqual([1, 1]);
});

describe('a witness', () => {
  beforeEach(async () => {
    await stage.seed(3);
    await stage.prove();
  });

  test('that does not answer holds up no other, and is asked again', async () => {
    first.fail('refuse');
    await attest();
    expect(await cosigners()).toEqual(['witness.example/b']);
    expect(warnings).toEqual([
      expect.objectContaining({
        ...{ event: 'attestation-failed', source: 'witness.example/a' },
        reason: 'the witness witness.example/a: answered 503',
      }),
    ]);
    const sources = [first.verifier.vkey, second.verifier.vkey];
    expect(await readUnattested(stage.pool(), sources)).toEqual([
      { source: sources[0], at: null, since: (await newest()).madeAt },
      { source: sources[1], at: expect.any(Date), since: null },
    ]);
    first.fail(null);
    await attest();
    expect(await cosigners()).toEqual(['witness.example/a', 'witness.example/b']);
  });

  test('that signed although no answer came names its size, and goes on from there', async () => {
    first.fail('sign-and-hang-up');
    await attest();
    expect(await cosigners()).toEqual(['witness.example/b']);
    first.fail(null);
    await stage.seed(2);
    await stage.prove();
    await attest();
    expect(await cosigners()).toEqual(['witness.example/a', 'witness.example/b']);
  });

  test('whose signature is of another text is not believed', async () => {
    first.fail('sign-another');
    await attest();
    expect(await cosigners()).toEqual(['witness.example/b']);
    expect(warnings).toEqual([
      expect.objectContaining({ reason: 'its signature is wrong, or of another note' }),
    ]);
  });

  test('signs no second log of the name: neither a rewritten one nor a shorter one', async () => {
    await attest();
    const seen = first.signed();
    const { rows } = await stage
      .admin()
      .query<{ stream: StreamName }>('select stream from event_store.events limit 1');
    const [{ stream }] = rows as [{ stream: StreamName }];
    await rewriteStream(stage.admin(), stream, stage.options().macKey, ({ data }) => ({
      ...data,
      businessId: 'b2',
    }));
    await forgetProof();
    await stage.seed(1);
    await stage.prove({ outlet: { add: async () => {}, newest: async () => null } });
    expect((await newest()).size).toBe(4);
    await attest();
    expect(await cosigners()).toEqual([]);
    expect(first.signed()).toEqual(seen);
    expect(warnings).toHaveLength(2);
  });
});

test('a witness that has signed more than the log has says that events were lost', async () => {
  await stage.seed(5);
  await stage.prove();
  await attest();
  await forgetProof();
  await stage.admin().query("set session_replication_role = 'replica'");
  await stage.admin().query('delete from event_store.events where pos > 3');
  await stage.prove({ outlet: { add: async () => {}, newest: async () => null } });
  await attest();
  expect(warnings).toContainEqual(expect.objectContaining({ source: 'witness.example/a' }));
  expect(await cosigners()).toEqual([]);
});

test('a time stamp is taken once a day, of the text of the newest checkpoint, and stored as it came', async () => {
  await stage.seed(3);
  await stage.prove();
  await attest({ witnesses: [] });
  const { note } = await newest();
  const text = `${note.split('\n').slice(0, 3).join('\n')}\n`;
  expect(authority.stamped).toEqual([createHash('sha256').update(text).digest('hex')]);
  const [stamp] = await readTimestamps(stage.pool(), await newest());
  expect(stamp).toMatchObject({ source: authority.url.href, at: stage.options().now() });
  expect(stamp?.answer.includes(Buffer.from(authority.stamped[0] ?? '', 'hex'))).toBe(true);
  await stage.seed(1);
  await stage.prove();
  await attest({ witnesses: [] });
  expect(authority.stamped).toHaveLength(1);
  stage.pass(24 * 60);
  await attest({ witnesses: [] });
  expect(authority.stamped).toHaveLength(2);
});

test.each(['refuse', 'reject', 'stamp-another', 'cut'] as const)(
  'an authority that answers otherwise (%s) is asked again later',
  async (how) => {
    await stage.seed(3);
    await stage.prove();
    authority.fail(how);
    await attest({ witnesses: [] });
    expect(await readTimestamps(stage.pool(), await newest())).toEqual([]);
    expect(warnings).toEqual([expect.objectContaining({ event: 'attestation-failed' })]);
    authority.fail(null);
    await attest({ witnesses: [] });
    expect(await readTimestamps(stage.pool(), await newest())).toHaveLength(1);
  },
);

test('an authority gets user and password, and neither is stored', async () => {
  await stage.seed(3);
  await stage.prove();
  const url = new URL(authority.url);
  [url.username, url.password] = ['ute', 'a%20secret'];
  await attest({ witnesses: [], authority: httpTimestampAuthority(url) });
  expect(authority.authorization()).toBe(`Basic ${btoa('ute:a secret')}`);
  const [stamp] = await readTimestamps(stage.pool(), await newest());
  expect(stamp?.source).toBe(authority.url.href);
});

test('of checkpoints that are thinned out, one that others attested stays while no later one of the hour was', async () => {
  const sizes: number[] = [];
  for (let n = 1; n <= 4; n += 1) {
    await stage.seed(1);
    await stage.prove();
    if (n === 2) await attest();
    sizes.push((await newest()).size);
  }
  stage.pass(48 * 60);
  await stage.seed(1);
  await stage.prove();
  const left = (await stage.checkpoints()).map(({ size }) => size);
  expect(left).toContain(sizes[1]);
  expect(left).not.toContain(sizes[0]);
  expect(left).not.toContain(sizes[2]);
  const { epoch } = await newest();
  const attested = await listAttested(stage.pool(), { epoch, above: 0, upTo: 5 });
  expect(attested.map(({ size }) => size)).toEqual([sizes[1]]);
});

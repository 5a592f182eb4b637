import { beforeAll, describe, expect, test } from 'vitest';
import { toBase64 } from '#core/crypto/base64.ts';
import { keyIdOf, type NoteSigner, noteSigner, parseVkey, signNote } from '#core/crypto/note.ts';
import { forgedRecord, RECEIPT_SIZE } from '#tests/support/log/forged-record.ts';
import { clock, job, origin, sampleRecord, signedRecord, signer } from '#tests/support/log/sample-record.ts';
import { secondCheck } from '#tests/support/log/second-check.ts';
import { checkRecord, type Outcome } from './check.ts';
import { readAllGiven, readGiven } from './check-log.ts';
import { writeCheckpoint } from './checkpoint.ts';
import { type JobRecord, writeRecord } from './record.ts';
import { verdictWords } from './verdict-words.ts';

const at = new Date('2026-11-23T05:00:00.000Z');
const attacker = noteSigner(origin, new Uint8Array(32).fill(66));
const witness = noteSigner('witness.example/w1', new Uint8Array(32).fill(5), 'cosignature');
/** Two keys of the log's name with the same id: found among 45,000. */
const twins = [24_284, 44_666].map((n) => {
  const seed = new Uint8Array(32);
  new DataView(seed.buffer).setUint32(28, n);
  return noteSigner(origin, seed);
}) as [NoteSigner, NoteSigner];

let sample: Awaited<ReturnType<typeof sampleRecord>>;
let forged: JobRecord;
/** What the customer has: the line of the receipt; and what the owner has, the note of a mail. */
let line: string;
let mailed: string;

const noteOf = (size: number, signers: readonly NoteSigner[]) =>
  signNote(writeCheckpoint({ origin, size, root: sample.roots.get(size) as Uint8Array }), signers, at);

beforeAll(async () => {
  sample = await sampleRecord([signer, clock], [witness]);
  forged = await forgedRecord(sample.record, attacker);
  line = `Log ${RECEIPT_SIZE} · ${toBase64(sample.roots.get(RECEIPT_SIZE) as Uint8Array)}`;
  mailed = noteOf(RECEIPT_SIZE, [signer, clock, witness]);
});

/** What both checks say: the outcome, and which events are proven. */
function both(record: JobRecord, has: { checkpoints?: readonly string[]; keys?: readonly string[] } = {}) {
  const { checkpoints = [], keys = [] } = has;
  const checked = checkRecord(writeRecord(record), readAllGiven([...checkpoints, ...keys]));
  const second = secondCheck(Buffer.from(writeRecord(record)), has);
  const parts = checked.findings.flatMap(({ verdict, revision, field }) =>
    verdict === 'proven' && revision !== undefined ? [field ? `${revision}/${field}` : `${revision}`] : [],
  );
  if (checked.outcome === 'does-not-fit') expect(second).toBeNull();
  else {
    expect(second?.proven).toEqual(parts);
    expect(second?.isStatementKnown).toBe(!checked.findings.some(isStatementUnconfirmed));
  }
  const events = parts.filter((part) => !part.includes('/'));
  return { outcome: checked.outcome, events: events.join(), texts: checked.findings.map(({ text }) => text) };
}

const isStatementUnconfirmed = ({ verdict, text }: { verdict: string; text: string }) =>
  verdict === 'unconfirmed' && text.startsWith('No event of this job follows');

describe('events that were made up after the receipt', () => {
  test.each<[string, () => Parameters<typeof both>[1], Outcome, string]>([
    ['nothing', () => ({}), 'fits-itself', ''],
    ['the line of the receipt', () => ({ checkpoints: [line] }), 'fits-in-part', '0,1'],
    [
      'the line with the id of the key',
      () => ({ checkpoints: [`${line} · key ${keyIdOf(signer.verifier)}`] }),
      'fits-in-part',
      '0,1',
    ],
    [
      'the line with an id that the forger met',
      () => ({ checkpoints: [`${line} · key ${keyIdOf(attacker.verifier)}`] }),
      'fits-in-part',
      '0,1',
    ],
    ['the mailed note', () => ({ checkpoints: [mailed] }), 'fits-in-part', '0,1'],
    ['the key of the log', () => ({ keys: [signer.verifier.vkey] }), 'does-not-fit', ''],
    [
      'a line of a later size',
      () => ({ checkpoints: [`Log 9 · ${toBase64(sample.roots.get(9) as Uint8Array)}`] }),
      'fits-itself',
      '',
    ],
    [
      'a line of the size of the forgery',
      () => ({ checkpoints: [`Log 10 · ${toBase64(sample.roots.get(10) as Uint8Array)}`] }),
      'does-not-fit',
      '',
    ],
  ])('to who has %s', (_, has, outcome, events) => {
    expect(both(forged, has())).toMatchObject({ outcome, events });
  });

  test('are only said by the key in the record, in words before all hashes', () => {
    const checked = checkRecord(writeRecord(forged), readGiven(line));
    expect(verdictWords(checked)).toEqual({
      title: 'Only part of this record is backed up',
      advice: expect.stringMatching(
        /^What you have backs up the first 2 events\. What came after is only the word of/,
      ),
    });
    const of = (revision: number) => checked.findings.filter((one) => one.revision === revision);
    for (const revision of [2, 3])
      expect(of(revision).map(({ verdict }) => verdict)).toEqual(['unconfirmed']);
    const proven = checked.findings.filter(({ verdict }) => verdict === 'proven').map(({ text }) => text);
    expect(proven).toContain(
      "The first 2 events are in order from the job's first, and none between them is missing.",
    );
    for (const { text } of checked.findings) expect(text).not.toMatch(/[A-Za-z0-9+/]{43}=|[0-9a-f]{64}/);
  });

  test('a receipt names the key: another one is pointed out, the same id is called a hint', () => {
    const words = (keyId: string) =>
      both(forged, { checkpoints: [`${line} · key ${keyId}`] }).texts.join('\n');
    expect(words(keyIdOf(signer.verifier))).toContain('signed by another key than your receipt');
    expect(words(keyIdOf(attacker.verifier))).toContain('a good sign and no proof: compare the whole key');
    expect(both(forged, { checkpoints: [mailed] }).texts.join()).toContain('signed by another key than your');
  });

  test('no event is backed up when all of them come after the receipt', async () => {
    const late = await forgedRecord(sample.record, attacker, { kept: 0 });
    expect(both(late, { checkpoints: [line] })).toMatchObject({ outcome: 'fits-itself', events: '' });
  });

  test("the real keys, named beside the forger's, vouch for nothing that they did not sign", async () => {
    const vkeys = [attacker, signer, clock, witness].map(({ verifier }) => verifier.vkey);
    const record = await forgedRecord(sample.record, attacker, { vkeys });
    for (const checkpoints of [[line], [mailed]])
      expect(both(record, { checkpoints })).toMatchObject({ outcome: 'fits-in-part', events: '0,1' });
    expect(both(record, { keys: [signer.verifier.vkey] }).outcome).toBe('does-not-fit');
    expect(both(record, { keys: [clock.verifier.vkey] }).outcome).toBe('does-not-fit');
  });

  test('a witness counts for the size that it signed', async () => {
    const record = signedRecord(
      { ...forged, attested: [{ note: mailed, timestamps: [], proof: forged.anchors[0]?.proof ?? [] }] },
      [attacker],
    );
    const has = { keys: [witness.verifier.vkey] };
    expect(both(record, has)).toMatchObject({ outcome: 'fits-in-part', events: '0,1' });
    expect(both(sample.record, has)).toMatchObject({ outcome: 'fits-in-part', events: '0,1' });
  });
});

describe('a real log, and a statement that its key did not sign', () => {
  /** The last event is cut off, a file is made up, and another key says that nothing is missing. */
  const cut = () =>
    signedRecord(
      {
        ...sample.record,
        log: { origin, vkeys: [...sample.record.log.vkeys, attacker.verifier.vkey] },
        events: sample.record.events.slice(0, 2),
        files: [{ id: 'f1', name: 'contract.pdf', sha256: 'cd'.repeat(32) }],
      },
      [attacker],
    );

  test.each([
    ['the key of the log', () => ({ keys: [signer.verifier.vkey] })],
    ['the mailed note', () => ({ checkpoints: [mailed] })],
  ])("is not Ute's word to who has %s", (_, has) => {
    expect(both(cut(), has())).toMatchObject({ outcome: 'fits-in-part', events: '0,1' });
    const checked = checkRecord(writeRecord(cut()), readAllGiven(Object.values(has()).flat()));
    expect(checked.findings.filter(({ verdict }) => verdict === 'said')).toEqual([]);
    expect(verdictWords(checked).advice).toMatch(
      /^All 2 events are in the log that you know\. That nothing came after/,
    );
  });

  test('the record that its log signed fits, to who has its key or a note by it', () => {
    for (const has of [
      { keys: [signer.verifier.vkey] },
      { checkpoints: [mailed] },
      { checkpoints: [noteOf(9, [signer])] },
    ])
      expect(both(sample.record, has)).toMatchObject({ outcome: 'fits', events: '0,1,2' });
    expect(both(sample.record, { checkpoints: [line] })).toMatchObject({
      outcome: 'fits-in-part',
      events: '0,1',
    });
  });
});

describe('keys and notes', () => {
  test('a key with the id of another is not taken for it', async () => {
    const [real, twin] = twins;
    expect(keyIdOf(real.verifier)).toBe(keyIdOf(twin.verifier));
    const record = await forgedRecord(sample.record, twin);
    const note = noteOf(RECEIPT_SIZE, [real]);
    // The line under the reader's note is of the record's key by its id, and wrong by its bytes.
    expect(both(record, { checkpoints: [note] }).outcome).toBe('does-not-fit');
    expect(both(record, { keys: [real.verifier.vkey] }).outcome).toBe('does-not-fit');
    expect(both(record, { checkpoints: [`${line} · key ${keyIdOf(real.verifier)}`] }).outcome).toBe(
      'fits-in-part',
    );
    const vkeys = [real, twin].map(({ verifier }) => verifier.vkey);
    for (const order of [vkeys, vkeys.toReversed()])
      expect(both(await forgedRecord(sample.record, twin, { vkeys: order })).outcome).toBe('does-not-fit');
  });

  test('a note whose signature is wrong is not something that the reader has', () => {
    const changed = writeCheckpoint({ origin, size: 9, root: sample.roots.get(9) as Uint8Array });
    const wrong = changed + mailed.slice(mailed.indexOf('\n\n') + 1);
    expect(both(sample.record, { checkpoints: [wrong] }).outcome).toBe('does-not-fit');
    expect(both(forged, { checkpoints: [wrong], keys: [] }).outcome).toBe('fits-itself');
  });

  test('a key of small order fits what was never signed, and is no key', () => {
    const neutral = Uint8Array.of(1, 1, ...new Uint8Array(31));
    const parsed = parseVkey(vkeyOf(origin, neutral));
    if (!parsed) throw new Error('it has the form of a key');
    // The base point and 1: right for every text, as far as the equation goes.
    const signature = Buffer.from(`58${'66'.repeat(31)}01${'00'.repeat(31)}`, 'hex');
    const weak = { ...attacker, verifier: parsed, sign: () => signature };
    expect(
      both(
        signedRecord(
          {
            ...forged,
            log: { origin, vkeys: [parsed.vkey] },
            checkpoint: signNote(writeCheckpoint({ origin, size: 10, root: new Uint8Array(32) }), [weak], at),
          },
          [weak],
        ),
      ).outcome,
    ).toBe('does-not-fit');
  });

  test('a line that is there twice counts once, and one that is wrong beside a right one counts', () => {
    const { statement } = sample.record;
    const [own = ''] = statement.split('\n').slice(-2);
    expect(both({ ...sample.record, statement: `${statement}${own}\n` }).outcome).toBe('fits-itself');
    const other = signNote('another text\n', [signer], at).split('\n').at(-2);
    expect(both({ ...sample.record, statement: `${statement}${other}\n` }).outcome).toBe('does-not-fit');
    expect(both({ ...sample.record, statement: statement + `${own}\n`.repeat(100) }).outcome).toBe(
      'does-not-fit',
    );
  });

  test.each([
    ['a size in another spelling', '1e1'],
    ['a size with a zero before it', '011'],
    ['a size beyond what is counted', '9007199254740993'],
    ['a line more', '11', 'extension\n'],
  ])('a checkpoint with %s is none', (_, size, more = '') => {
    const root = toBase64(sample.roots.get(11) as Uint8Array);
    const checkpoint = signNote(`${origin}\n${size}\n${root}\n${more}`, [signer], at);
    expect(both(signedRecord({ ...sample.record, checkpoint })).outcome).toBe('does-not-fit');
  });
});

function vkeyOf(name: string, key: Uint8Array): string {
  const { verifier } = noteSigner(name, new Uint8Array(32));
  const id = new Bun.CryptoHasher('sha256').update(`${name}\n`).update(key).digest('hex').slice(0, 8);
  return `${verifier.name}+${id}+${toBase64(key)}`;
}

describe('a mail with what a stranger typed', () => {
  const forgedLine = () => `Log 10 · ${toBase64(new Uint8Array(32).fill(1))}`;

  test('a line or a key that a stranger wrote is nothing that the reader has', () => {
    const typed = [forgedLine(), attacker.verifier.vkey, witness.verifier.vkey, mailed].join('\n');
    const mail = `Your request has arrived\n\n${typed}\n-- \nUte\n${line} · key ${keyIdOf(signer.verifier)}\n\nYour details:\nhttps://x\n`;
    expect(readGiven(mail)).toMatchObject({ checkpoints: [{ size: RECEIPT_SIZE }], vkeys: [] });
    const html = `<p>${forgedLine()}</p><p>You get this because…<br>${line}<br><a href="x">Your details</a></p>`;
    expect(readGiven(html)).toMatchObject({ checkpoints: [{ size: RECEIPT_SIZE }], vkeys: [] });
    expect(
      readGiven(`${forgedLine()} has your job request.\nThe key is ${attacker.verifier.vkey}\n`),
    ).toEqual({
      checkpoints: [],
      vkeys: [],
    });
  });

  test('what is nothing but lines, notes and keys is read whole, however it was copied', () => {
    const pasted = `\uFEFF> ${line}\r\n\r\nkey ${signer.verifier.vkey} \r\n`;
    expect(readGiven(pasted)).toMatchObject({ checkpoints: [{ size: 7 }], vkeys: [signer.verifier.vkey] });
    const notes = mailed + noteOf(9, [signer]);
    expect(readGiven(notes).checkpoints.map(({ size, keyIds }) => [size, keyIds?.length])).toEqual([
      [7, 2],
      [9, 1],
    ]);
    expect(
      readGiven(writeCheckpoint({ origin, size: 9, root: new Uint8Array(32) })).checkpoints,
    ).toHaveLength(1);
    expect(readGiven(forged.statement)).toEqual({ checkpoints: [], vkeys: [] });
    expect(job).toBe(forged.job);
  });
});

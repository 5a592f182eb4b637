import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCheckpoint, writeCheckpoint } from '#core/proof/checkpoint.ts';
import { toBase64 } from './base64.ts';
import { type NoteVerifier, noteSigner, openNote, parseVkey, signNote } from './note.ts';

const at = new Date('2026-11-23T05:00:00.700Z');
const signer = noteSigner('jobs.example.com/log/7f3a91c2', new Uint8Array(32).fill(7));
const clock = noteSigner('jobs.example.com/log/7f3a91c2', new Uint8Array(32).fill(8), 'cosignature');
const root = new Uint8Array(32).fill(9);
const text = writeCheckpoint({ origin: signer.verifier.name, size: 4_400_123, root });

function verifierOf(vkey: string): NoteVerifier {
  const verifier = parseVkey(vkey);
  if (!verifier) throw new Error('not a vkey');
  return verifier;
}

describe('notes of others', () => {
  test('the example of the format', () => {
    const note = [
      'If you think cryptography is the answer to your problem,',
      "then you don't know what your problem is.",
      '',
      '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=',
      '',
    ].join('\n');
    const verifier = verifierOf('PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW');
    expect(openNote(note, [verifier])).toMatchObject({
      signatures: [{ name: 'PeterNeumann', at: null }],
      wrong: [],
    });
  });

  test('a checkpoint of the checksum database of Go', () => {
    const note = [
      'go.sum database tree',
      '63096908',
      '8lHrQPRYe4KT4WQ9/Qk8/taKnD6IRHbFgfN7vQE2Y54=',
      '',
      '— sum.golang.org Az3gri/oVBN1jAhNZ/iS+W31psFAWRT20/GyrhpU6taFwulQGetBkH5S7wpGXdS935jiIGiUUAXBVHzT/P6fYhqAmAk=',
      '',
    ].join('\n');
    const opened = openNote(note, [
      verifierOf('sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8'),
    ]);
    expect(opened).toMatchObject({ signatures: [{ name: 'sum.golang.org' }], wrong: [] });
    expect(readCheckpoint(opened?.text ?? '')).toMatchObject({
      origin: 'go.sum database tree',
      size: 63_096_908,
    });
  });
});

describe('notes of our own', () => {
  const note = signNote(text, [signer, clock], at);

  test('name both keys, and the second the whole second of its time', () => {
    expect(openNote(note, [signer.verifier, clock.verifier])).toEqual({
      text,
      signatures: [
        { name: signer.verifier.name, vkey: signer.verifier.vkey, at: null },
        { name: clock.verifier.name, vkey: clock.verifier.vkey, at: new Date('2026-11-23T05:00:00Z') },
      ],
      wrong: [],
      unknown: 0,
    });
    expect(readCheckpoint(text)).toEqual({ origin: signer.verifier.name, size: 4_400_123, root });
  });

  test('count the lines of keys that were not given', () => {
    expect(openNote(note, [signer.verifier])).toMatchObject({
      signatures: [{ vkey: signer.verifier.vkey }],
      unknown: 1,
    });
    expect(openNote(note, [])).toMatchObject({ signatures: [], unknown: 2 });
  });

  test('a key comes back from its text', () => {
    for (const { verifier } of [signer, clock]) expect(parseVkey(verifier.vkey)).toEqual(verifier);
    expect(parseVkey(signer.verifier.vkey.replace('+', '+0'))).toBeNull();
    expect(parseVkey(signer.verifier.vkey.replace('7f3a91c2', '7f3a91c3'))).toBeNull();
  });

  test('no signature fits once a character of the text differs', () => {
    fc.assert(
      fc.property(fc.nat(text.length - 2), fc.integer({ min: 33, max: 126 }), (place, unit) => {
        const other = text.slice(0, place) + String.fromCharCode(unit) + text.slice(place + 1);
        fc.pre(other !== text);
        const opened = openNote(other + note.slice(text.length), [signer.verifier, clock.verifier]);
        expect(opened?.signatures ?? []).toEqual([]);
      }),
    );
  });

  test('no bit of a signature can be turned', () => {
    const [, line = ''] = note.trimEnd().split('\n\n');
    const encoded = line.split('\n')[0]?.split(' ')[2] ?? '';
    const bytes = Buffer.from(encoded, 'base64');
    for (let bit = 32; bit < bytes.length * 8; bit += 1) {
      const turned = Uint8Array.from(bytes);
      turned[bit >> 3] = (turned[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const opened = openNote(note.replace(encoded, toBase64(turned)), [signer.verifier]);
      expect(opened?.signatures).toEqual([]);
      expect(opened?.wrong).toEqual([signer.verifier.vkey]);
    }
  });

  test('the time of a cosignature is signed too', () => {
    const later = signNote(text, [clock], new Date('2026-11-24T05:00:00Z'));
    const encoded = (one: string) => Buffer.from(one.trimEnd().split(' ').at(-1) ?? '', 'base64');
    const mixed = Buffer.concat([encoded(later).subarray(0, 12), encoded(note).subarray(12)]);
    expect(
      openNote(`${text}\n— ${clock.verifier.name} ${mixed.toString('base64')}\n`, [clock.verifier]),
    ).toMatchObject({
      signatures: [],
      wrong: [clock.verifier.vkey],
    });
  });
});

describe('what is no note', () => {
  test.each([
    ['nothing', ''],
    ['text alone', 'a\n'],
    ['no line of a signature', 'a\n\n'],
    ['a line that is none', 'a\n\nb\n'],
    ['a signature cut off', `a\n\n— ${signer.verifier.name} AAAA`],
    ['a text with a carriage return', signNote('a\n', [signer], at).replace('a\n', 'a\r\n')],
    ['a signature in other base64', signNote('a\n', [signer], at).replace(/=\n$/, '\n')],
  ])('%s', (_, note) => {
    expect(openNote(note, [signer.verifier])).toBeNull();
  });

  test('a text without an end, or with a bell, is not signed', () => {
    for (const bad of ['a', 'a\u0007\n', '']) expect(() => signNote(bad, [signer], at)).toThrow(RangeError);
  });

  test('a name with a space, a seed too short', () => {
    expect(() => noteSigner('two words', new Uint8Array(32))).toThrow(RangeError);
    expect(() => noteSigner('a+b', new Uint8Array(32))).toThrow(RangeError);
    expect(() => noteSigner('a', new Uint8Array(31))).toThrow(RangeError);
  });

  test.each([
    '',
    'a\n',
    'a\n01\nAA==\n',
    `a\n1\n${toBase64(root)}`,
    `a\n-1\n${toBase64(root)}\n`,
    `\n1\n${toBase64(root)}\n`,
  ])('no checkpoint: %j', (bad) => {
    expect(readCheckpoint(bad)).toBeNull();
  });
});

import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { createSlabs, keepPieces } from './pieces.ts';

const KIB = 1024;

test('what was stored comes back whole, whatever its pieces were, and nothing of another', () => {
  const piece = fc.tuple(fc.integer({ min: 0, max: 200 * KIB }), fc.integer({ min: 1, max: 255 }));
  fc.assert(
    fc.property(fc.array(fc.array(piece, { maxLength: 5 }), { maxLength: 4 }), (bodies) => {
      // Side by side, and each in the slabs that the one before has left.
      const kept = bodies.map((pieces) => {
        const one = keepPieces();
        for (const [length, value] of pieces) one.add(new Uint8Array(length).fill(value));
        return one;
      });
      for (const [at, one] of kept.entries()) {
        const whole = Buffer.concat((bodies[at] ?? []).map(([length, value]) => Buffer.alloc(length, value)));
        expect(whole.equals(one.join())).toBe(true);
        expect(one.join()).toHaveLength(0);
      }
    }),
    { numRuns: 30 },
  );
});

test('a piece is a copy: who gave it may write to it and free it', () => {
  const pieces = keepPieces();
  const given = new Uint8Array(100 * KIB).fill(7);
  pieces.add(given);
  given.fill(9);
  given.buffer.transfer(0);
  expect(pieces.join().every((byte) => byte === 7)).toBe(true);
});

test('dropped bytes are not there any more, and others can be stored', () => {
  const pieces = keepPieces();
  pieces.add(new Uint8Array(10));
  pieces.drop();
  pieces.drop();
  pieces.add(new Uint8Array([1, 2]));
  expect([...pieces.join()]).toEqual([1, 2]);
});

test('memory is used again, and is freed once it was not needed for a while', () => {
  vi.useFakeTimers();
  try {
    const slabs = createSlabs();
    const hold = (bytes: number) => {
      const pieces = keepPieces(slabs);
      pieces.add(Buffer.alloc(bytes));
      return pieces;
    };
    hold(640 * KIB).drop();
    expect(slabs.spare()).toBe(10);
    const again = hold(128 * KIB);
    expect(slabs.spare()).toBe(8);
    again.join();
    expect(slabs.spare()).toBe(10);
    // The first look is after ten were in use, the second finds that two of them were needed since.
    vi.advanceTimersByTime(30_000);
    hold(128 * KIB).drop();
    expect(slabs.spare()).toBe(10);
    vi.advanceTimersByTime(30_000);
    expect(slabs.spare()).toBe(2);
    vi.advanceTimersByTime(60_000);
    expect(slabs.spare()).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

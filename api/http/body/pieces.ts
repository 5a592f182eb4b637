/** Bytes of a long body that are stored until it is whole. */
export type Pieces = Readonly<{
  /** Stores a copy. */
  add(bytes: Uint8Array): void;
  /** All of them in one; then none are stored here any more. */
  join(): Uint8Array<ArrayBuffer>;
  /** Gives their memory back. */
  drop(): void;
}>;

type Slab = Uint8Array<ArrayBuffer>;

/** Bytes of a slab: about what arrives at once. */
const SLAB = 64 * 1024;
/** Slabs that may wait for their next use: 128 MiB, what uploads take at once unless they are told otherwise. */
const MOST_SPARE = 2_048;
/** Milliseconds between two looks for slabs that were not needed meanwhile. */
const LOOK = 30_000;

/** Memory that is used again. */
export type Slabs = Readonly<{
  take(): Slab;
  leave(slab: Slab): void;
  /** Slabs that wait for their next use. */
  spare(): number;
}>;

/**
 * The first touch of fresh memory costs many times what is done with the bytes: a crowd whose bytes each went to memory of their
 * own would hold up the loop.
 */
export function createSlabs(): Slabs {
  const spare: Slab[] = [];
  let leastSpare = 0;
  let looking = false;

  /** Frees what was spare all the time since the last look. */
  function look(): void {
    for (const slab of spare.splice(0, leastSpare)) giveBack(slab);
    leastSpare = spare.length;
    looking = spare.length > 0;
    if (looking) setTimeout(look, LOOK).unref();
  }

  return {
    take() {
      const slab = spare.pop();
      leastSpare = Math.min(leastSpare, spare.length);
      return slab ?? new Uint8Array(SLAB);
    },
    leave(slab) {
      if (spare.length >= MOST_SPARE) return giveBack(slab);
      spare.push(slab);
      if (!looking) setTimeout(look, LOOK).unref();
      looking = true;
    },
    spare: () => spare.length,
  };
}

const shared = createSlabs();

/** Stores bytes as they come, without leaving any to the garbage collector, which is later than the next hundred megabytes. */
export function keepPieces(memory: Slabs = shared): Pieces {
  let slabs: Slab[] = [];
  let size = 0;

  function drop(): void {
    for (const slab of slabs) memory.leave(slab);
    [slabs, size] = [[], 0];
  }

  return {
    add(bytes) {
      for (let at = 0; at < bytes.length; ) {
        const used = size % SLAB;
        if (used === 0) slabs.push(memory.take());
        const part = bytes.subarray(at, at + SLAB - used);
        slabs.at(-1)?.set(part, used);
        at += part.length;
        size += part.length;
      }
    },
    join() {
      const whole = new Uint8Array(size);
      for (const [at, slab] of slabs.entries()) whole.set(slab.subarray(0, size - at * SLAB), at * SLAB);
      drop();
      return whole;
    },
    drop,
  };
}

/** Frees the memory of bytes that are read no more, and are not shared: they are empty afterwards. */
export function giveBack(bytes: Uint8Array): void {
  if (bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0);
}

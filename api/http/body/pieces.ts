/** Bytes of a long body that are stored until it is whole. */
export type Pieces = Readonly<{
  /** Stores a copy. */
  add(bytes: Uint8Array): void;
  /** All of them in one; then none are stored here any more. */
  join(): Uint8Array<ArrayBuffer>;
  /** Gives their memory back. */
  drop(): void;
}>;

/** Stores bytes as they come, without leaving any to the garbage collector, which is later than the next hundred megabytes. */
export function keepPieces(): Pieces {
  let pieces: Uint8Array[] = [];
  function drop(): void {
    for (const piece of pieces) giveBack(piece);
    pieces = [];
  }
  return {
    add: (bytes) => void pieces.push(new Uint8Array(bytes)),
    join() {
      const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
      let at = 0;
      for (const piece of pieces) {
        whole.set(piece, at);
        at += piece.length;
      }
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

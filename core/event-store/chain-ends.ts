const HASH_BYTES = 32;
const SLOT_BYTES = 4 + HASH_BYTES;

/** The last event of each stream, packed: a million streams take about as much memory as their names. */
export class ChainEnds {
  readonly #slots = new Map<string, number>();
  #bytes = Buffer.alloc(SLOT_BYTES * 1024);

  /** Revision -1 and no hash for a stream that was not seen yet. */
  get(stream: string): { revision: number; hash: string | null } {
    const slot = this.#slots.get(stream);
    if (slot === undefined) return { revision: -1, hash: null };
    const start = slot * SLOT_BYTES;
    return {
      revision: this.#bytes.readUInt32LE(start),
      hash: this.#bytes.toString('hex', start + 4, start + SLOT_BYTES),
    };
  }

  /** `hash` is 64 hex digits in lower case. */
  set(stream: string, revision: number, hash: string): void {
    const slot = this.#slots.get(stream) ?? this.#slots.size;
    this.#slots.set(stream, slot);
    const start = slot * SLOT_BYTES;
    if (start === this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#bytes.length)]);
    this.#bytes.writeUInt32LE(revision, start);
    this.#bytes.write(hash, start + 4, HASH_BYTES, 'hex');
  }
}

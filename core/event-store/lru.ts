/**
 * A map that forgets what was not used for longest. Holds at most `limit` entries, and at least the half of them that were
 * used last: whole generations are dropped, as picking the one oldest entry costs a large Map a walk over its gaps.
 */
export class Lru<Key, Value> {
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();
  readonly #generation: number;

  constructor(limit: number) {
    this.#generation = Math.max(1, Math.floor(limit / 2));
  }

  get(key: Key): Value | undefined {
    const value = this.#young.get(key);
    if (value !== undefined) return value;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: Key, value: Value): void {
    this.#old.delete(key);
    if (this.#young.size >= this.#generation && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }

  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
  }

  delete(key: Key): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }
}

import { randomUUID } from 'node:crypto';
import { createGate } from '#api/http/limits.ts';

/** Argon2id: memory in KiB, passes. Raised here, old hashes are renewed at the next login. */
export const argon2 = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;

/** Hashes at once in this process (each takes 19 MiB and a core for about 20 ms), and how many more may wait. */
const ROOM = { atOnce: 4, waiting: 64 };

export type Passwords = Readonly<{
  /** A PHC string. Throws 429 when too many are waiting, as does `matches`. */
  hash(password: string): Promise<string>;
  /** Takes as long for no hash (an unknown account) as for a wrong password. */
  matches(password: string, hash: string | null): Promise<boolean>;
}>;

const gate = createGate(ROOM.atOnce, ROOM.waiting);
let decoy: Promise<string> | undefined;

/** Passwords are hashed as they were typed, composed to NFC so that every keyboard writes the same letter. */
export const passwords: Passwords = {
  hash: (password) => gate.run(() => Bun.password.hash(password.normalize('NFC'), argon2)),
  async matches(password, hash) {
    decoy ??= Bun.password.hash(randomUUID(), argon2);
    const against = hash ?? (await decoy);
    const same = await gate.run(() => Bun.password.verify(password.normalize('NFC'), against));
    return same && hash !== null;
  },
};

/** Whether a hash was made with less work than today's. */
export function isOutdated(hash: string): boolean {
  const [, memory, time] = /^\$argon2id\$v=\d+\$m=(\d+),t=(\d+),/.exec(hash) ?? [];
  return !(Number(memory) >= argon2.memoryCost && Number(time) >= argon2.timeCost);
}

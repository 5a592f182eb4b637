import { tooManyRequests } from '#api/http/http-errors.ts';

/** Lets `atOnce` jobs run and `waiting` more queue, first come first served; the next gets 429. */
export function createGate(atOnce: number, waiting: number) {
  const queue: (() => void)[] = [];
  let running = 0;

  async function run<T>(work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) {
      if (queue.length >= waiting) throw tooManyRequests(1);
      await new Promise<void>((enter) => queue.push(enter));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  }
  return { run };
}

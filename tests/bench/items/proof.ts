import type { Figure, Item } from '#tests/bench/figure.ts';
import { readOnce, ute } from '#tests/bench/prepared.ts';

/** `ute proof rebuild`: the tree over the whole log, computed anew and compared with what is stored. */
export const proof: Item = {
  name: 'proof',
  about: 'computing the tree over the whole log anew',
  async measure(log): Promise<Figure[]> {
    await readOnce('main');
    const began = performance.now();
    const text = await ute('main', ['proof', 'rebuild']);
    const seconds = (performance.now() - began) / 1_000;
    log(text.trim());
    const leaves = Number(/^tree of (\d+) /m.exec(text)?.[1]);
    if (!leaves) throw new Error(`the rebuild said: ${text}`);
    return [
      {
        what: `tree of ${leaves.toLocaleString('en')} leaves from the log`,
        ...{ value: `${seconds.toFixed(1)} s`, budget: '≤ 60 s', met: seconds <= 60 },
        note: `${Math.round(leaves / seconds).toLocaleString('en')} leaves/s`,
      },
    ];
  },
};

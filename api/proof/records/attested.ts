import type { Deps } from '#api/deps.ts';
import { type Checkpoint, listAttested, provesConsistency, readTimestamps } from '#api/proof/read.ts';
import { toBase64 } from '#core/crypto/base64.ts';
import type { Attested } from '#core/proof/record.ts';

type AttestedDeps = Pick<Deps, 'db' | 'readLeaves'>;

/** What others say of checkpoints that have the leaf `last`, for a record of the log as this checkpoint states it. */
export async function attestedOf(
  deps: AttestedDeps,
  checkpoint: Checkpoint,
  last: number,
): Promise<Attested[]> {
  return (await readAttested(deps, checkpoint, last)).attested;
}

/** How many answers are in memory: those of the stretches of the log between two time stamps, in which they are the same. */
const MOST_STRETCHES = 50;

/** The same for many leaves, asked for once where the answer is the same. */
export function attestedReader(
  deps: AttestedDeps,
  checkpoint: Checkpoint,
): (last: number) => Promise<readonly Attested[]> {
  type Stretch = Readonly<{ from: number; below: number; attested: readonly Attested[] }>;
  let stretches: readonly Stretch[] = [];
  return async (last) => {
    const known = stretches.find(({ from, below }) => from <= last && last < below);
    if (known) return known.attested;
    const { sizes, attested } = await readAttested(deps, checkpoint, last);
    // Without one above, there is none above any later leaf.
    const read = { from: last, below: Math.min(...sizes), attested };
    stretches = [read, ...stretches.slice(0, MOST_STRETCHES - 1)];
    return attested;
  };
}

async function readAttested(
  deps: AttestedDeps,
  { epoch, size }: Checkpoint,
  last: number,
): Promise<{ sizes: number[]; attested: Attested[] }> {
  const checkpoints = await listAttested(deps.db, { epoch, above: last, upTo: size });
  const attested: Attested[] = [];
  for (const one of checkpoints) {
    const [timestamps, proof] = await Promise.all([
      readTimestamps(deps.db, one),
      one.size === size ? [] : provesConsistency(deps.db, deps, { from: one.size, to: size }),
    ]);
    if (!proof) continue;
    attested.push({
      note: one.note + one.cosignatures,
      timestamps: timestamps.map(({ source, answer }) => ({ by: source, token: toBase64(answer) })),
      proof: proof.map(toBase64),
    });
  }
  return { sizes: checkpoints.map((one) => one.size), attested };
}

import type { Pool } from 'pg';
import { type HeldJob, listHandedOut } from '#api/proof/handed-out.ts';
import type { Checkpoint } from '#api/proof/read.ts';
import type { ProofReader } from '#api/proof/tiles.ts';
import type { ProvenSize } from '#api/proof/tree.ts';
import type { Anchor } from '#core/proof/record.ts';

/** A proof as a record has it. By the code of the runtime: a record has hundreds of hashes in its anchors. */
export function toAnchor({ size, root, proof }: ProvenSize): Anchor {
  return { size, root: base64Of(root), proof: proof.map(base64Of) };
}

export function base64Of({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

/**
 * Reads the anchors of many jobs of one business, some of them at once. Most are the same for all, or for neighbours: what the jobs before
 * had is not computed again.
 */
export function anchorReader(
  db: Pool,
  proofs: ProofReader,
  checkpoint: Checkpoint,
  businessId: string,
): (jobs: readonly HeldJob[]) => Promise<ReadonlyMap<string, readonly Anchor[]>> {
  let known: ReadonlyMap<number, Anchor> = new Map();
  return async (jobs) => {
    const listed = await listHandedOut(db, checkpoint, { businessId, jobs, are: 'together' });
    const sizes = [...new Set([...listed.values()].flat())];
    const made = await proofs.proveSizes(sizes.filter((size) => !known.has(size)));
    const fresh = new Map(made.map((one) => [one.size, toAnchor(one)]));
    known = new Map(
      sizes.flatMap((size) => {
        const anchor = known.get(size) ?? fresh.get(size);
        return anchor ? [[size, anchor] as const] : [];
      }),
    );
    return new Map([...listed].map(([jobId, own]) => [jobId, own.flatMap((size) => known.get(size) ?? [])]));
  };
}

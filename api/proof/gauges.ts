import type { Deps, ProofStatus } from '#api/deps.ts';
import type { GaugeDeclaration } from '#api/http/health/metrics.ts';

/** How far the tree, its checkpoints and the audits of the log are. */
export function proofGauges({ proof }: Pick<Deps, 'proof'>): GaugeDeclaration[] {
  const ofProof = (value: (status: ProofStatus) => number) => async () => [
    { value: value(await proof.status()) },
  ];
  return [
    {
      name: 'ute_proof_size',
      help: 'Events in the tree over the log',
      read: ofProof(({ size }) => size),
    },
    {
      name: 'ute_proof_behind_seconds',
      help: 'Age of the newest checkpoint while the tree has more than it',
      read: ofProof(({ size, signed }) =>
        signed && signed.size < size ? Math.max(0, (Date.now() - signed.at.getTime()) / 1_000) : 0,
      ),
    },
    {
      name: 'ute_proof_stopped',
      help: '1 while nothing is signed because the log does not fit what was signed before',
      read: ofProof(({ stopped }) => (stopped === null ? 0 : 1)),
    },
    {
      name: 'ute_audit_verified_size',
      help: 'Events of the last weekly audit of the whole log that fit',
      read: ofProof(({ audited }) => audited?.size ?? 0),
    },
    {
      name: 'ute_audit_age_seconds',
      help: 'Time since the last weekly audit of the whole log; 0 before the first',
      read: ofProof(({ audited }) =>
        audited ? Math.max(0, (Date.now() - audited.at.getTime()) / 1_000) : 0,
      ),
    },
    {
      name: 'ute_audit_fault',
      help: '1 when the last weekly audit of the whole log found what does not fit',
      read: ofProof(({ audited }) => (audited?.fault ? 1 : 0)),
    },
  ];
}

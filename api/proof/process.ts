import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Config } from '#api/runtime/config/config.ts';
import { macKeyOf } from '#core/event-store/chain.ts';
import type { StoredLog } from '#core/event-store/raw-log.ts';
import { startAttesting } from './attestations/attest.ts';
import { httpTimestampAuthority, httpWitness } from './attestations/attesters.ts';
import { type AuditsOptions, startAudits } from './audit.ts';
import { openCheckpointStore } from './checkpoint-store.ts';
import { startProof } from './follow.ts';
import { statementKeyOf } from './statements.ts';

export type ProvingDeps = Readonly<{
  config: Pick<Config, 'keys' | 'publicOrigin' | 'backup'> &
    Readonly<{ proof: NonNullable<Config['proof']> }>;
  /** Sees the rows of every business. */
  pool: Pool;
  connectionString: string;
  log: StoredLog;
  openLog: AuditsOptions['openLog'];
  now(): Date;
  logger: Logger;
}>;

/** Grows the tree over the log, signs it, audits it each week, and has it witnessed where witnesses are named. */
export function startProving({ config, openLog, log, ...common }: ProvingDeps): { stop(): Promise<void> } {
  const { proof, keys, publicOrigin, backup } = config;
  const outlet = openCheckpointStore(proof, backup);
  const macKey = macKeyOf(keys.data);
  const { host } = new URL(publicOrigin);
  const running = [
    startProof({
      ...common,
      log,
      keys: proof,
      host,
      macKey,
      statementKey: statementKeyOf(keys.data),
      outlet,
    }),
    startAudits({ ...common, openLog, macKey, outlet }),
  ];
  const { witnesses, timestampUrl } = proof;
  if (witnesses.length > 0 || timestampUrl) {
    running.push(
      startAttesting({
        ...{ ...common, log },
        witnesses: witnesses.map(({ url, verifier }) => httpWitness(url, verifier)),
        authority: timestampUrl && httpTimestampAuthority(timestampUrl),
      }),
    );
  }
  return {
    async stop() {
      await Promise.all(running.map((one) => one.stop()));
    },
  };
}

import '#core/kernel/schema-settings.ts';
import { withSystem } from '#api/cli/system.ts';
import { startProof } from '#api/proof/follow.ts';
import { readProofStatus } from '#api/proof/read.ts';
import { statementKeyOf } from '#api/proof/statements.ts';
import { macKeyOf } from '#core/event-store/chain.ts';
import { pause } from '#core/kernel/pause.ts';

/** Signs the log of the installation that the environment names until it is ended. Prints a line once all of it is signed. */
await withSystem(async ({ config, pool, connectionString, eventLog }, signal) => {
  if (!config.proof) throw new Error('The environment has no LOG_KEY.');
  const proof = startProof({
    ...{ pool, connectionString, log: eventLog.stored, keys: config.proof, now: () => new Date() },
    host: new URL(config.publicOrigin).host,
    ...{ macKey: macKeyOf(config.keys.data), statementKey: statementKeyOf(config.keys.data) },
    outlet: { add: async () => {}, newest: async () => null },
  });
  while (!signal.aborted && (await readProofStatus(pool)).signed === null) await pause(50, signal);
  console.log('signed');
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  await proof.stop();
  return true;
});

import type { Command } from 'commander';
import { createProgress } from '#api/cli/report.ts';
import { type System, withSystem } from '#api/cli/system.ts';
import { print } from '#api/cli/terminal.ts';
import { attestersOf } from '#api/proof/attestations/attesters.ts';
import { openCheckpointStore } from '#api/proof/checkpoint-store.ts';
import { type Epoch, readEpochs, reasonOfEpoch } from '#api/proof/epochs.ts';
import { findCheckpoint, readAttestations, readProofKeys, readProofStatus } from '#api/proof/read.ts';
import { rebuildTree } from '#api/proof/rebuild.ts';
import { FANOUT, readProgress } from '#api/proof/tree.ts';
import type { Config } from '#api/runtime/config/config.ts';
import { logKeysOf } from '#api/runtime/config/proof.ts';
import { openRawLog } from '#api/runtime/event-log.ts';

/** Why a tree stands still, for operators. */
const reasons: Readonly<Record<string, string>> = {
  'foreign-event': 'another program has written into the log',
  'log-changed': 'the end of the log is not what it was',
  'mac-missing': 'an event has no MAC: something else appended it',
  'mac-wrong': 'the MAC of an event is not of this installation: something else appended it',
  inconsistent: 'the log does not contain what the last checkpoint in the database states',
  'outside-differs': 'the log does not contain what the last checkpoint outside states',
  'epoch-unsigned': 'the database names an epoch of the log that no key of ours began',
};

export function addProofCommand(program: Command): void {
  const proof = program.command('proof').description('The tree over the log, and what was signed of it.');

  proof
    .command('status')
    .description(
      'How far the tree is, and the newest checkpoint. Exit code 1 when it is stopped, or an audit found a fault.',
    )
    .action(() => withSystem(status));

  proof
    .command('rebuild')
    .description(
      'Computes the tree from the log, and starts it again where it was stopped. Exit code 1 when a checkpoint does not fit.',
    )
    .action(() => withSystem(rebuild));
}

async function status({ pool, config }: System): Promise<boolean> {
  const { audited } = await readProofStatus(pool);
  const [epochs, keys, progress, checkpoint] = [
    await readEpochs(pool),
    await readProofKeys(pool),
    await readProgress(pool),
    await findCheckpoint(pool),
  ];
  const store = config.proof && openCheckpointStore(config.proof, config.backup);
  const outside = await store?.newest();
  const attested = await readAttestations(pool);
  const notYet = attestersOf(config.proof).filter(
    ({ source }) => !attested.some((one) => one.source === source),
  );
  print([
    `log ${epochs.at(-1)?.origin ?? 'without a name yet: nothing was signed'}`,
    ...epochLines(epochs, config.proof),
    `tree ${leaves(progress.size)}, the last at position ${progress.position}`,
    checkpoint
      ? `checkpoint ${checkpoint.size}, signed ${checkpoint.madeAt.toISOString()}`
      : 'checkpoint none yet',
    ...(store
      ? [`outside ${outside === checkpoint?.note ? 'the same' : 'an older one, or none'}, in ${store.where}`]
      : []),
    ...attested.map(
      ({ kind, source, size, at }) =>
        `${kind === 'timestamp' ? 'time stamp' : 'witness'} ${source}: ${size}, ${at.toISOString()}`,
    ),
    ...notYet.map(
      ({ name, source }) => `${name} ${source}: nothing yet, attestation-failed in the log says why`,
    ),
    ...keys.map(({ kind, vkey }) => `${kind === 'signature' ? 'key' : 'clock'} ${vkey}`),
    audited
      ? `audited ${audited.size} events, ${audited.at.toISOString()}${audited.fault ? `: ${audited.fault}` : ''}`
      : 'audited not yet',
    ...(progress.stopped === null ? [] : [`STOPPED: ${reasons[progress.stopped] ?? progress.stopped}`]),
  ]);
  return progress.stopped === null && !audited?.fault;
}

/** What restores lost, each in a line: everyone who compares the log is to read it. */
export function epochLines(epochs: readonly Epoch[], proof: Config['proof']): string[] {
  const own = logKeysOf(proof);
  return epochs
    .filter(({ epoch }) => epoch > 1)
    .map((one) => {
      const reason = reasonOfEpoch(one, own);
      if (reason !== null) return `epoch ${one.epoch} ${reason}`;
      return `epoch ${one.epoch} from ${one.from} events on, in a note that the LOG_KEY here did NOT sign`;
    });
}

async function rebuild({ config, pool, connectionString }: System, signal: AbortSignal): Promise<boolean> {
  const log = await openRawLog(config, { log: pool, url: connectionString });
  try {
    const show = createProgress(process.stderr);
    const head = Number(await log.head());
    const onProgress = (position: string) => show('log', Number(position), head);
    const { size, differing, misfits } = await rebuildTree(pool, log, { signal, onProgress });
    print([
      `tree of ${leaves(size)} computed from the log; ${differing.length} of its stored nodes differed`,
      ...differing.slice(0, 10).map((n) => `  leaves ${n * FANOUT} to ${(n + 1) * FANOUT - 1}`),
      ...misfits.map((one) => `checkpoint ${one.size} does NOT fit the log: nothing was changed`),
    ]);
    return misfits.length === 0;
  } finally {
    await log.close();
  }
}

const leaves = (size: number) => `${size} ${size === 1 ? 'leaf' : 'leaves'}`;

import { createHash } from 'node:crypto';
import type { Deps } from '#api/deps.ts';
import { type CommandContext, handleCommand } from '#core/event-store/handle-command.ts';
import { jobDecider } from '#core/job/decider.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { recordHash, writeRecord } from '#core/proof/record.ts';
import { makeRecord, type WantedRecord } from './record.ts';

/** `record` is the text of the file, byte for byte. */
export type IssuedRecord = Readonly<{ fileName: string; record: string }>;

/**
 * Makes a record and notes in the job's history that it was made, before it is handed over. Throws as `makeRecord`; then
 * nothing is noted.
 */
export async function issueRecord(
  deps: Parameters<typeof makeRecord>[0] & Pick<Deps, 'store'>,
  wanted: WantedRecord,
  context: Omit<CommandContext, 'commandId'>,
): Promise<IssuedRecord> {
  const record = await makeRecord(deps, wanted);
  const { jobId, businessId, audience, by } = wanted;
  const upto = record.events.at(-1)?.revision ?? 0;
  const sha256 = recordHash((bytes) => createHash('sha256').update(bytes).digest(), record);
  await handleCommand(
    deps.store,
    jobDecider,
    streamName('job', jobId),
    {
      type: 'IssueJobRecord',
      at: deps.now().toISOString(),
      data: { jobId, businessId, audience, by, upto, sha256 },
    },
    { ...context, commandId: deps.newId() },
  );
  return { fileName: `job-${jobId.slice(-12)}.ute-record.json`, record: writeRecord(record) };
}

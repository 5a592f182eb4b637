import { writeFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { filesOf, print, withSystem } from '#api/cli/system.ts';
import { foldReadable } from '#api/jobs/load-job.ts';
import { issueRecord } from '#api/records/issue-record.ts';
import { typedEvents } from '#core/event-store/typed-events.ts';
import { isJobEvent } from '#core/job/events.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { type RecordAudience, recordAudiences } from '#core/values/stored-details.ts';

type Options = Readonly<{ out: string; audience: RecordAudience; at?: Date }>;

/** `parse` reads the id of a job and an instant, as the other commands of `ute audit` do. */
export function addAuditRecordCommand(
  audit: Command,
  parse: Readonly<{ jobStream(id: string): StreamName; instant(text: string): Date }>,
): void {
  audit
    .command('record')
    .argument('<id>', 'of the job, as in the address of its page', parse.jobStream)
    .requiredOption('--out <file>', 'where the record is written')
    .addOption(new Option('--audience <who>', 'whom it is for').choices(recordAudiences).default('owner'))
    .option('--at <instant>', 'leaves out what came later, such as 2026-11-20T09:00:00+11:00', parse.instant)
    .description('Makes a signed record of a job, while a worker runs. The history of the job names it.')
    .action(record);
}

function record(stream: StreamName, { out, audience, at }: Options): Promise<void> {
  return withSystem(async (system) => {
    const { config, db, store, eventLog } = system;
    const details = foldReadable(typedEvents(isJobEvent, await store.readStream(stream)));
    if (details === null) throw new Error('There is no such job.');
    const deps = {
      ...{ config, db, store, subjectKeys: eventLog.subjectKeys, ...eventLog.stored },
      ...{ files: filesOf(system), now: () => new Date(), newId: () => Bun.randomUUIDv7() },
    };
    const { id: jobId, businessId } = details;
    const moment = { at: at ?? null, upTo: null };
    const wanted = { businessId, jobId, audience, by: 'operator', ...moment, anchors: [] } as const;
    const issued = await issueRecord(deps, wanted, { actor: 'system', correlation: deps.newId() });
    await writeFile(out, issued.record, { mode: 0o600 });
    print([`The record for the ${audience} is in ${out}.`]);
    return true;
  });
}

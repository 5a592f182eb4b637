import type { NewStream } from '#core/event-store/embedded/bulk-load.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import type { EventStore } from '#core/event-store/port.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { type JobCommand, jobDecider } from '#core/job/job.ts';
import { fold } from '#core/kernel/decider.ts';
import { streamName } from '#core/kernel/stream-name.ts';

/** What was done with an invented job, each with the id of its command. */
export type JobHistory = Readonly<{
  jobId: string;
  commands: readonly Readonly<{ command: JobCommand; commandId: string }>[];
}>;

/** What the decider makes of a job that the log does not have yet: its stream, with the ids that `handleCommand` would have given. */
export function decidedStream({ jobId, commands }: JobHistory, correlation: string): NewStream {
  const stream = streamName('job', jobId);
  let state = jobDecider.initialState;
  const history = commands.map(({ command, commandId: causation }) => {
    const decided = jobDecider.decide(command, state);
    state = fold({ ...jobDecider, initialState: state }, decided);
    const events = decided.map((event, index) => {
      return { id: uuidV5(causation, `${stream}/${command.type}/${index}`), event };
    });
    return { events, context: { at: command.at, actor: 'seed', causation, correlation } };
  });
  return { stream, history: history.filter(({ events }) => events.length > 0) };
}

/** Does everything one by one in the order of time, as people would have. A repeat appends nothing. */
export async function appendInOrder(
  store: EventStore,
  histories: readonly JobHistory[],
  correlation: string,
): Promise<void> {
  const steps = histories.flatMap(({ jobId, commands }) => commands.map((step) => ({ jobId, ...step })));
  const at = ({ command }: (typeof steps)[number]) => Date.parse(command.at);
  for (const { jobId, command, commandId } of steps.toSorted((one, other) => at(one) - at(other)))
    await handleCommand(store, jobDecider, streamName('job', jobId), command, {
      ...{ commandId, actor: 'seed', correlation },
    });
}

import type { NewStream } from '#core/event-store/embedded/bulk-load.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { jobDecider } from '#core/job/decider.ts';
import { fold } from '#core/kernel/decider.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import type { InventedJob } from './invent-job.ts';

/** What the decider makes of an invented job: its stream, with the ids that `handleCommand` would have given. */
export function seededStream({ jobId, commands }: InventedJob): NewStream {
  const stream = streamName('job', jobId);
  let state = jobDecider.initialState;
  const history = commands.map((command, step) => {
    const causation = step === 0 ? jobId : uuidV5(jobId, `step ${step}`);
    const decided = jobDecider.decide(command, state);
    state = fold({ ...jobDecider, initialState: state }, decided);
    const events = decided.map((event, index) => {
      return { id: uuidV5(causation, `${stream}/${command.type}/${index}`), event };
    });
    return { events, context: { at: command.at, actor: 'seed', causation, correlation: 'seed' } };
  });
  return { stream, history: history.filter(({ events }) => events.length > 0) };
}

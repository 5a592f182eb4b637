import type { FollowingProcess } from '#projections/runtime/follow/open-process.ts';
import { erasures } from './erasures.ts';
import { finishContactChanges } from './finish-contact-changes.ts';
import { finishRegistrations } from './finish-registrations.ts';
import { outbox } from './outbox.ts';
import { checkpointOf, followerOf, type Process, type ProcessDeps } from './process.ts';

/** Everything that follows the log and acts. What the clock starts is in `chores.ts`. */
export const processes: readonly Process[] = [outbox, finishRegistrations, finishContactChanges, erasures];

/** By which it is read how far the processes have come, also where there is no log to follow yet. */
export const processNames = processes.map(checkpointOf);

/** The processes as followers of the log, for the worker that leads them, the read side and the commands. */
export function followingProcesses(deps: ProcessDeps): FollowingProcess[] {
  return processes.map((process) => followerOf(process, deps));
}

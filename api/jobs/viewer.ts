import type { Deps, Place } from '#api/deps.ts';
import { HttpError, unavailable } from '#api/http/answers.ts';
import type { Session } from '#api/http/request-context.ts';
import { InvalidInputError } from '#core/kernel/errors.ts';
import type { BoardQuery } from '#projections/jobs/board.ts';

/** Whose jobs, where, and when "today" is: `timeZone` is the business's IANA zone. */
export type Viewer = Readonly<{ businessId: string; now: Date }> & Place;

/** Who looks at jobs. Throws NotFoundError for an account that is not there. */
export async function viewer(deps: Pick<Deps, 'whereabouts' | 'now'>, session: Session): Promise<Viewer> {
  const { businessId } = session;
  return { businessId, ...(await deps.whereabouts.of(session)), now: deps.now() };
}

/** How long spans of jobs are waited for that are just being written, in milliseconds. */
const WAIT_MS = 2_000;

/** The moment that was asked for, and how many events the log had then. */
export type AsAt = Readonly<{ at: string; size: number }>;

/**
 * Where in the log a moment lies, for the lists of a business as they stood then. Throws InvalidInputError for what is still to come, and a
 * 503 while the log is not counted that far, or the jobs as they stood are still being built.
 */
export async function boardAt(
  deps: Pick<Deps, 'proof' | 'readSide'>,
  { now }: Pick<Viewer, 'now'>,
  at: Date,
): Promise<Readonly<{ asAt: AsAt; board: Pick<BoardQuery, 'now' | 'position'> }>> {
  if (at > now)
    throw new InvalidInputError('This list cannot be shown', { at: 'Choose a moment that has passed' });
  const moment = await deps.proof.findMoment(at);
  if (!moment) throw notCounted();
  const reached = await deps.readSide.waitFor(['jobs'], moment.position, WAIT_MS);
  if (reached !== 'caught-up') throw unavailable();
  const { size, position } = moment;
  return { asAt: { at: at.toISOString(), size }, board: { now: at, position } };
}

function notCounted(): HttpError {
  return new HttpError(
    'unavailable',
    'The log is not counted up to that moment yet. Please try again in a minute',
    {
      headers: { 'retry-after': '30' },
    },
  );
}

import { InvalidInputError } from '#core/kernel/errors.ts';
import { type ScheduleQuery, scheduleLimits } from '#projections/job-schedule/read.ts';

const DAY = 86_400_000;
const message = `Two days as YYYY-MM-DD, at most ${scheduleLimits.days} days in all`;

/** The days that GET /jobs/schedule was asked for; undefined for the usual ones. Throws InvalidInputError. */
export function readScheduleQuery(
  query: Readonly<Record<string, string | undefined>>,
): ScheduleQuery['days'] {
  const { from, to, ...others } = query;
  if (Object.keys(others).length > 0) throw refusal({ '*': 'Unknown parameter' });
  if (from === undefined && to === undefined) return undefined;
  const [first, last] = [dayNumber(from), dayNumber(to)];
  if (!(last - first >= 0 && last - first < scheduleLimits.days))
    throw refusal({ from: message, to: message });
  return { from: from as string, to: to as string };
}

/** Days since 1970; NaN for what is no day between 2000 and 2099. */
function dayNumber(text = ''): number {
  if (!/^20\d{2}-\d{2}-\d{2}$/.test(text)) return Number.NaN;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? Number.NaN : time / DAY;
}

function refusal(fields: Record<string, string>): InvalidInputError {
  return new InvalidInputError('These days cannot be shown', fields);
}

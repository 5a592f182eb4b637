import { InvalidInputError } from '#core/kernel/errors.ts';
import { type ScheduleQuery, scheduleLimits } from '#projections/jobs/schedule.ts';

const DAY = 86_400_000;
const tooManyDays = `Two days as YYYY-MM-DD, at most ${scheduleLimits.days} days in all`;
const badAhead = `From 1 to ${scheduleLimits.days} days from today on, without other days`;
const badPage = `From 1 to ${scheduleLimits.pages}`;
const badLimit = `From 1 to ${scheduleLimits.jobs}`;

type Asked = Pick<ScheduleQuery, 'days' | 'ahead' | 'page' | 'limit'>;

/** What GET /jobs/schedule was asked for; without days they are the usual ones. Throws InvalidInputError. */
export function readScheduleQuery(query: Readonly<Record<string, string | undefined>>): Asked {
  const { from, to, ahead, page, limit, ...others } = query;
  if (Object.keys(others).length > 0) throw refusal({ '*': 'Unknown parameter' });
  const asked = {
    page: page === undefined ? 1 : wholeNumber(page, scheduleLimits.pages, { page: badPage }),
    limit:
      limit === undefined
        ? scheduleLimits.jobs
        : wholeNumber(limit, scheduleLimits.jobs, { limit: badLimit }),
  };
  if (from === undefined && to === undefined) {
    if (ahead === undefined) return asked;
    return { ...asked, ahead: wholeNumber(ahead, scheduleLimits.days, { ahead: badAhead }) };
  }
  if (ahead !== undefined) throw refusal({ ahead: badAhead });
  const [first, last] = [dayNumber(from), dayNumber(to)];
  if (!(last - first >= 0 && last - first < scheduleLimits.days))
    throw refusal({ from: tooManyDays, to: tooManyDays });
  return { ...asked, days: { from: from as string, to: to as string } };
}

function wholeNumber(text: string, most: number, problem: Record<string, string>): number {
  const number = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > most) throw refusal(problem);
  return number;
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

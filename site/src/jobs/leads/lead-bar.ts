import './lead-bar.css';
import type { JobCardView } from '#core/job/view.ts';
import { distanceWords } from '#core/values/place.ts';
import { isSetAside } from '#site/jobs/job-words.ts';
import { pageStrip } from '#site/jobs/page-strip.ts';
import { tabValues } from '#site/lib/browser-storage.ts';
import { request } from '#site/lib/http/api.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { readShaped } from '#site/lib/shape.ts';
import { inPlace } from './in-place.ts';
import { pressingKey } from './lead-count.ts';

type Lead = Pick<JobCardView, 'id' | 'name' | 'location'>;

const isIds = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((id) => typeof id === 'string');

/** The newest jobs that wait. */
const newest = '/jobs?page=1&limit=30&sort=createdAt&dir=desc&filter=Pending';

/**
 * Looks at what waits for an answer after something changed, and shows the bar of an urgent one that arrived. `changed` is the job that
 * did, none where the page has just begun.
 */
export async function lookAtLeads(changed?: string): Promise<void> {
  const { jobs } = await request('GET', newest);
  const pressing = jobs.filter((job) => job.isUrgent && !isSetAside(job));
  const known = readShaped(tabValues.getItem(pressingKey), isIds) ?? [];
  // Only its arrival is a change of a job without a revision; looking at it is the next.
  const shown = pressing.filter(
    ({ id, revision }) =>
      (known.includes(id) || (id === changed && revision === 0)) &&
      location.pathname !== `/jobs/details/${id}`,
  );
  store(shown.map(({ id }) => id));
  show(shown, changed === undefined);
}

function store(ids: readonly string[]): void {
  if (ids.length === 0) tabValues.removeItem(pressingKey);
  else tabValues.setItem(pressingKey, JSON.stringify(ids));
}

/** `Urgent: Noor, 1.6 km`, of several with how many more: the first name alone, and no distance where one end is unknown. */
export function leadInWords(
  [lead, ...others]: readonly Lead[],
  base: Parameters<typeof distanceWords>[0],
): string {
  if (!lead) return '';
  // What a name hides of contact stands in brackets.
  const first = /^[^\s(]+/.exec(lead.name)?.[0] ?? 'a new job';
  const more = others.length > 0 && `and ${others.length} more`;
  return `Urgent: ${[first, distanceWords(base, lead.location), more].filter(Boolean).join(', ')}`;
}

let place: HTMLElement | null = null;

function show(leads: readonly Lead[], isNewPage = false): void {
  if (leads.length === 0) {
    inPlace(() => place?.remove());
    place = null;
    return;
  }
  place ??= makePlace(isNewPage);
  const link = document.createElement('a');
  link.href = leads.length > 1 ? '/jobs/new?view=new' : `/jobs/details/${leads[0]?.id}`;
  const words = Object.assign(document.createElement('span'), {
    textContent: `${leadInWords(leads, $session.get()?.user?.base ?? null)}: `,
  });
  link.append(words, Object.assign(document.createElement('b'), { textContent: 'show' }));
  const status = place.querySelector('[role=status]');
  // A region that comes with its text is not read: the text comes a frame later.
  requestAnimationFrame(() => {
    if (status?.textContent !== link.textContent) status?.replaceChildren(link);
  });
}

function makePlace(isNewPage: boolean): HTMLElement {
  const made = Object.assign(document.createElement('div'), { className: 'lead-place' });
  const status = document.createElement('p');
  status.setAttribute('role', 'status');
  const away = Object.assign(document.createElement('button'), {
    ...{ type: 'button', className: 'btn btn--sm', textContent: 'Dismiss' },
  });
  away.addEventListener('click', () => {
    store([]);
    show([]);
    const main = document.querySelector('main');
    if (!main) return;
    main.tabIndex = -1;
    main.focus({ preventScroll: true });
  });
  made.append(status, away);
  const strip = pageStrip(isNewPage);
  if (isNewPage) strip.append(made);
  else inPlace(() => strip.append(made));
  return made;
}

import { useStore } from '@nanostores/react';
import { atom } from 'nanostores';
import type { MouseEvent } from 'react';
import { listViews } from '#core/job/statuses.ts';
import { readPlace } from '#site/jobs/list/list-place.ts';
import { viewPath } from '#site/jobs/view-path.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { $jobId } from './job-details-page-store.ts';

const $place = atom(readPlace());
const allJobs = { href: viewPath('all'), label: listViews.all.label };

/** From a job back to the list that it was opened from, by its name; to the list of all where it was opened otherwise. */
export function BackLink() {
  const jobId = useStore($jobId, { ssr: 'initial' });
  const place = useStore($place, { ssr: () => null });
  const from = place && place.jobId === jobId ? place : null;
  const { href, label } = from ?? allJobs;

  // The history's way back is the one that has the list as it was left.
  function goBack(event: MouseEvent): void {
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey);
    if (!isPlain || !from || document.referrer !== new URL(from.href, location.href).href) return;
    event.preventDefault();
    history.back();
  }

  return (
    <a className="back" href={href} onClick={goBack}>
      <Icon name="arrow-left" />
      <span>{label}</span>
    </a>
  );
}

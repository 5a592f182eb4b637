import { Icon } from '#site/components/ui/Icon.tsx';
import { viewPath } from '#site/features/jobs/view-path.ts';

/** From a job back to the list of all. */
export function BackLink() {
  return (
    <a className="back" href={viewPath('all')}>
      <Icon name="arrow-left" />
      <span>All jobs</span>
    </a>
  );
}

import { viewPath } from '#site/jobs/view-path.ts';
import { Icon } from '#site/ui/Icon.tsx';

/** From a job back to the list of all. */
export function BackLink() {
  return (
    <a className="back" href={viewPath('all')}>
      <Icon name="arrow-left" />
      <span>All jobs</span>
    </a>
  );
}

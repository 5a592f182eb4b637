import { useStore } from '@nanostores/react';
import { Icon } from '#site/ui/Icon.tsx';
import { hintLines } from './hint-lines.ts';
import { $jobHints } from './job-hints-store.ts';

/** What other jobs have in common with this one. Worth a look, never in the way. */
export function JobHintsNote({ timeZone }: Readonly<{ timeZone: string }>) {
  const lines = hintLines(useStore($jobHints), timeZone);
  return (
    <div role="status" className="addjob__hints">
      {lines.length > 0 && (
        <div className="alert alert--warning">
          <Icon name="triangle-alert" />
          <div>
            <strong>Worth a look before you save</strong>
            <ul>
              {lines.map(({ id, before, title, behind }) => (
                <li key={`${before} ${id}`}>
                  {before} <a href={`/jobs/details/${id}`}>{title}</a>
                  {behind}
                </li>
              ))}
            </ul>
          </div>
        </div>
      )}
    </div>
  );
}

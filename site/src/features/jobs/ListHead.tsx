import { useStore } from '@nanostores/react';
import type { ListView } from '#core/job/list-views.ts';
import { Icon } from '#site/components/ui/Icon.tsx';
import { SearchBox } from '#site/components/ui/SearchBox.tsx';
import { $searchText, listSearch, typeSearch } from './job-list-page-store.ts';
import { viewPath, viewTitle } from './view-path.ts';

/** The head of a list: the way back, its title, its search and the way to a new job. */
export function ListHead({ view }: { view: ListView }) {
  const text = useStore($searchText, { ssr: 'initial' });
  return (
    <div className="list-head">
      <div className="list-head__title">
        <a className="back" href="/">
          <Icon name="arrow-left" />
          <span>Your jobs</span>
        </a>
        <h1>{viewTitle(view)}</h1>
      </div>
      <div className="list-head__tools">
        <SearchBox
          label="Search jobs"
          search={listSearch}
          text={text}
          onText={typeSearch}
          action={viewPath(view)}
        />
        <a className="btn btn--primary only-md" href={view === 'new' ? '/jobs/new' : '/jobs/add'}>
          <Icon name="plus" />
          Add new job
        </a>
      </div>
    </div>
  );
}

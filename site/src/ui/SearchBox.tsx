import { useStore } from '@nanostores/react';
import type { Search } from '#site/lib/search.ts';
import { Icon } from './Icon.tsx';

type Props = Readonly<{
  label: string;
  search: Search;
  text: string;
  onText(text: string): void;
  /** Where Enter leads before the page's script runs. */
  action: string;
}>;

/** A search field; its icon turns into a ring while a search is pending. */
export function SearchBox({ label, search, text, onText, action }: Props) {
  const isPending = useStore(search.$isPending, { ssr: 'initial' });
  return (
    <form
      role="search"
      className="affix search"
      action={action}
      onSubmit={(event) => {
        event.preventDefault();
        search.submit(text);
      }}
    >
      {isPending ? <span className="ring" role="status" aria-label="Searching" /> : <Icon name="search" />}
      <input
        className="input"
        type="search"
        name="search"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        maxLength={100}
        value={text}
        onChange={(event) => {
          onText(event.target.value);
          search.type(event.target.value);
        }}
      />
    </form>
  );
}

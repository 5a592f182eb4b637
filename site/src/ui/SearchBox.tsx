import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import { countCharacters, searchLength } from '#core/values/text.ts';
import type { Search } from '#site/ui/form/search.ts';
import { Icon } from './Icon.tsx';

type Props = Readonly<{
  label: string;
  search: Search;
  text: string;
  onText(text: string): void;
  /** Where Enter leads before the page's script runs. */
  action: string;
}>;

/** A search field that says how many letters are missing; its icon turns into a ring while a search is pending. */
export function SearchBox({ label, search, text, onText, action }: Props) {
  const isPending = useStore(search.$isPending, { ssr: 'initial' });
  const input = useRef<HTMLInputElement>(null);

  function take(value: string): void {
    onText(value);
    search.type(value);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what was typed before the page's script ran
  useEffect(() => {
    if (input.current && input.current.value !== text) take(input.current.value);
  }, []);

  function clear(): void {
    take('');
    input.current?.focus({ preventScroll: true });
  }

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
        ref={input}
        id="search"
        className="input"
        type="search"
        name="search"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        value={text}
        // Counts an emoji twice, which is enough for a search.
        maxLength={searchLength.max}
        onChange={(event) => take(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && text !== '') clear();
        }}
      />
      <span className="search__missing" role="status">
        {missingLetters(text)}
      </span>
      {text !== '' && (
        <button type="button" className="search__clear" aria-label="Clear the search field" onClick={clear}>
          <Icon name="x" />
        </button>
      )}
    </form>
  );
}

/** What a text is short of a search, in words; empty for an empty field and for one that is long enough. */
function missingLetters(text: string): string {
  const typed = countCharacters(text.trim());
  const missing = searchLength.min - typed;
  if (typed === 0 || missing <= 0) return '';
  return missing === 1 ? 'One more letter' : 'Two more letters';
}

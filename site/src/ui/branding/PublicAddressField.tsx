import { useStore } from '@nanostores/react';
import { atom, type ReadableAtom } from 'nanostores';
import { isSlug, normaliseSlug, slugLength, slugMessage, slugTaken } from '#core/values/slug.ts';
import { checkSlug, type SlugAnswer } from '#site/lib/profile-settings.ts';
import { FieldError } from '#site/ui/form/FieldError.tsx';

type Props = Readonly<{
  /** As it is typed. */
  text: string;
  /** The address that the business has. */
  own: string | null;
  check: SlugCheck;
  /** What the server answered to a try to save it; null while it has not. */
  refused: string | null;
  onChange(text: string): void;
}>;

/** The address of the public page, checked as it is typed. */
export function AddressField({ text, own, check, refused, onChange }: Props) {
  const state = useStore(check.$state);
  const slug = normaliseSlug(text);
  const problem = refused || slugProblem(state);
  return (
    <div className="field">
      <label className="field__label" htmlFor="slug">
        Public page address
      </label>
      <span className="look__address">
        <span className="look__host" id="slug-host">
          {`${location.host}/t/`}
        </span>
        <input
          className="input"
          id="slug"
          name="slug"
          value={text}
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={60}
          aria-invalid={problem !== null}
          aria-describedby={`slug-host ${problem ? 'slug-problem' : 'slug-note'}`}
          onChange={(event) => {
            onChange(event.target.value);
            check.type(event.target.value);
          }}
          onBlur={() => onChange(slug)}
        />
      </span>
      <p className="field__hint" id="slug-note" role="status">
        {problem || state === 'taken' || state === 'unavailable' ? '' : slugNotes[state]}
      </p>
      <FieldError id="slug-problem" message={problem} isLate />
      {own && slug !== own && (
        <p className="field__hint">{`Links to /t/${own} lead to the new address for 180 days.`}</p>
      )}
    </div>
  );
}

/** Whether an address in this state may be saved. */
export function isSlugReady(text: string, state: SlugState): boolean {
  return isSlug(normaliseSlug(text)) && slugProblem(state) === null && state !== 'checking';
}

/** How long typing has to pause before the address is checked, in milliseconds. */
const PAUSE = 500;

/** What is known of the address in the field. `unchecked`: the server could not be asked, and decides when it is saved. */
export type SlugState = SlugAnswer | 'none' | 'checking' | 'unchecked';

export type SlugCheck = Readonly<{
  $state: ReadableAtom<SlugState>;
  /** Takes the field's text after a keystroke. */
  type(text: string): void;
  stop(): void;
}>;

/**
 * Checks an address as it is typed: nothing below 3 characters, unavailable at once where the rule is
 * broken, else the server is asked after a pause. `own` is the address that the business has.
 */
export function createSlugCheck(own: string | null, check = checkSlug): SlugCheck {
  const state = atom<SlugState>('none');
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = new AbortController();

  async function ask(slug: string, { signal }: AbortController): Promise<void> {
    const outcome: SlugState = await check(slug, signal).catch(() => 'unchecked');
    if (!signal.aborted) state.set(outcome);
  }

  function stop(): void {
    clearTimeout(timer);
    running.abort();
    running = new AbortController();
  }

  return {
    $state: state,
    stop,
    type(text) {
      stop();
      const slug = normaliseSlug(text);
      if (slug.length < slugLength.min || slug === own) return state.set('none');
      if (!isSlug(slug)) return state.set('unavailable');
      state.set('checking');
      timer = setTimeout(() => void ask(slug, running), PAUSE);
    },
  };
}

/** What is shown below the field of an address that another business has. */
const takenNote = `${slugTaken.title} ${slugTaken.message}`;

/** What is wrong with an address in this state; null where nothing is, or nothing is known. */
export function slugProblem(state: SlugState): string | null {
  if (state === 'taken') return takenNote;
  return state === 'unavailable' ? slugMessage : null;
}

/** What stands below the field where nothing is wrong. */
const slugNotes: Readonly<Record<Exclude<SlugState, 'taken' | 'unavailable'>, string>> = {
  none: '3 to 20 letters, digits, hyphens or underscores',
  checking: 'Checking…',
  available: 'This address is free',
  unchecked: 'We could not check this just now. You can try to save it.',
};

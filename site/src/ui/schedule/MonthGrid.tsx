import { type KeyboardEvent, useId, useRef } from 'react';
import type { Elements } from 'react/jsx-runtime';
import { flushSync } from 'react-dom';
import { type Day, type Month, monthTitle, weekdayNames, weekOf, weeksOf } from '#site/lib/time/calendar.ts';
import { Icon } from '#site/ui/Icon.tsx';

type Step = -1 | 1;

/** A month that can be folded to the week of one of its days, by the button that its name is then. */
export type Fold = Readonly<{ day: Day; isFolded: boolean; onToggle(): void }>;

type Props = Readonly<{
  month: Month;
  className: string;
  canStep(count: Step): boolean;
  /** Shows the month before or after, or the week while the month is folded. */
  onStep(count: Step): void;
  /** What a key moves the focused day to; null for a key that is none of a calendar's. */
  onKey(pressed: KeyboardEvent): (() => void) | null;
  fold?: Fold | null;
  /** A week in which no day can be chosen any more. */
  isOver?(week: readonly (Day | null)[]): boolean;
  /** The button of a day. That of the focused day alone has the `tabIndex` 0. */
  children(day: Day): Elements;
}>;

/** A month, or a week of it, with the ways to the ones beside it: one stop of the Tab key, arrows between the days. */
export function MonthGrid({ month, className, canStep, onStep, onKey, fold, isOver, children }: Props) {
  const title = useId();
  const isFolded = fold?.isFolded ?? false;
  const weeks = fold && isFolded ? [weekOf(fold.day)] : weeksOf(month);
  const grid = useRef<HTMLTableElement>(null);

  function onKeyDown(event: KeyboardEvent): void {
    const move = onKey(event);
    if (!move) return;
    event.preventDefault();
    flushSync(move);
    grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }

  const step = (count: Step) => (
    <button
      className="picker__nav"
      type="button"
      aria-label={`${count < 0 ? 'Previous' : 'Next'} ${isFolded ? 'week' : 'month'}`}
      disabled={!canStep(count)}
      onClick={() => onStep(count)}
    >
      <Icon name={count < 0 ? 'chevron-left' : 'chevron-right'} />
    </button>
  );

  const name = (
    <span id={title} aria-live="polite">
      {monthTitle(month)}
    </span>
  );

  return (
    <>
      <div className="picker__head">
        {step(-1)}
        <strong>
          {fold ? (
            <button
              className="picker__month"
              type="button"
              aria-expanded={!isFolded}
              aria-controls={`${title}-days`}
              onClick={fold.onToggle}
            >
              {name}
              <Icon name="chevron-down" className="icon--sm" />
            </button>
          ) : (
            name
          )}
        </strong>
        {step(1)}
      </div>
      <table
        ref={grid}
        id={`${title}-days`}
        className={`cal ${className} ${isFolded ? 'cal--week' : ''}`}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table of buttons with arrows is a grid
        role="grid"
        aria-labelledby={title}
        onKeyDown={onKeyDown}
      >
        <thead>
          <tr>
            {weekdayNames.map((name) => (
              <th key={name} scope="col" abbr={name}>
                {name.slice(0, 3)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week.find(Boolean)} className={isOver?.(week) ? 'is-over' : undefined}>
              {week.map((day, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the columns are the days of the week
                <td key={place}>{day && children(day)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import { flushSync } from 'react-dom';
import { type Day, type Month, monthTitle, weekdayNames, weeksOf } from '#site/lib/time/calendar.ts';
import { Icon } from '#site/ui/Icon.tsx';

type Step = -1 | 1;

type Props = Readonly<{
  month: Month;
  className: string;
  canStep(count: Step): boolean;
  /** Shows the month before or after. */
  onStep(count: Step): void;
  /** What a key moves the focused day to; null for a key that is none of a calendar's. */
  onKey(pressed: KeyboardEvent): (() => void) | null;
  /** A week in which no day can be chosen any more. */
  isOver?(week: readonly (Day | null)[]): boolean;
  /** The button of a day. That of the focused day alone has the `tabIndex` 0. */
  children(day: Day): ReactNode;
}>;

/** A month with the ways to the ones beside it: one stop of the Tab key, arrows between the days. */
export function MonthGrid({ month, className, canStep, onStep, onKey, isOver, children }: Props) {
  const title = useId();
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
      aria-label={count < 0 ? 'Previous month' : 'Next month'}
      disabled={!canStep(count)}
      onClick={() => onStep(count)}
    >
      <Icon name={count < 0 ? 'chevron-left' : 'chevron-right'} />
    </button>
  );

  return (
    <>
      <div className="picker__head">
        {step(-1)}
        <strong id={title} aria-live="polite">
          {monthTitle(month)}
        </strong>
        {step(1)}
      </div>
      <table
        ref={grid}
        className={`cal ${className}`}
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
          {weeksOf(month).map((week) => (
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

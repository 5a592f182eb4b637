import type { KeyboardEvent } from 'react';
import type { HistoryClock } from '#site/jobs/history/history-words.ts';
import { historyAppearance } from '#site/jobs/history/JobHistory.tsx';
import { formatMoment } from '#site/lib/time/moments.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { changeWords } from './change-words.ts';
import type { Change } from './changes.ts';

type Props = Readonly<{
  changes: readonly Change[];
  chosen: number;
  clock: HistoryClock;
  onChoose(index: number): void;
}>;

/** Every change, oldest first; one is chosen, and those after it are drawn as not yet there. */
export function ChangeList({ changes, chosen, clock, onChoose }: Props) {
  // A browser moves in a group of radio buttons by the arrows alone.
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Home' && event.key !== 'End') return;
    event.preventDefault();
    const index = event.key === 'Home' ? 0 : changes.length - 1;
    onChoose(index);
    event.currentTarget.querySelectorAll('input')[index]?.focus();
  };
  return (
    <section className="card asat__list" aria-labelledby="changes">
      <h2 id="changes">Changes</h2>
      <ol className="chg" onKeyDown={onKeyDown}>
        {changes.map((change, index) => {
          const { icon, tone } = historyAppearance(change.entries[0]);
          return (
            <li key={change.revision}>
              <label className={index > chosen ? 'is-later' : undefined}>
                <input
                  type="radio"
                  name="change"
                  checked={index === chosen}
                  onChange={() => onChoose(index)}
                />
                <span className="dot-icon" data-status={index > chosen ? undefined : tone}>
                  <Icon name={icon} />
                </span>
                <span>
                  {changeWords(change, clock)}
                  <time dateTime={change.at}>{formatMoment(change.at, clock.timeZone, clock.now)}</time>
                </span>
              </label>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

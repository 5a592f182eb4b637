import { useId } from 'react';
import type { SwitchPhase } from '#site/lib/form/saved-switches.ts';
import { RowPhase } from './RowPhase.tsx';

type Props = Readonly<{
  label: string;
  note?: string | undefined;
  isOn: boolean;
  /** What became of the last tick. */
  phase?: SwitchPhase | undefined;
  /** Cannot be changed; `note` is the reason. */
  isLocked?: boolean;
  onTurn?(isOn: boolean): void;
}>;

/** A checkbox in a row that is saved as it is ticked, and shows that. Goes into `.rows`. */
export function TickRow({ label, note, isOn, phase, isLocked = false, onTurn }: Props) {
  const id = useId();
  return (
    <label className="row" htmlFor={id}>
      <span className="row__text">
        <span id={`${id}-label`}>{label}</span>
        {note && (
          <span className="row__note" id={`${id}-note`}>
            {note}
          </span>
        )}
      </span>
      <RowPhase phase={phase} />
      <input
        id={id}
        type="checkbox"
        checked={isOn}
        disabled={isLocked}
        aria-labelledby={`${id}-label`}
        aria-describedby={note ? `${id}-note` : undefined}
        onChange={(event) => onTurn?.(event.target.checked)}
      />
    </label>
  );
}

import { useId } from 'react';
import type { SwitchPhase } from '#site/lib/form/saved-switches.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { RowPhase } from './RowPhase.tsx';

type Props = Readonly<{
  label: string;
  note?: string;
  isOn: boolean;
  /** What became of the last turn. */
  phase?: SwitchPhase | undefined;
  /** Cannot be turned; `note` is the reason. */
  isLocked?: boolean;
  onTurn?(isOn: boolean): void;
}>;

/** A switch in a row that is saved as it is turned, and shows that. Goes into `.rows`. */
export function SwitchRow({ label, note, isOn, phase, isLocked = false, onTurn }: Props) {
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
      {isLocked && <Icon name="lock" className="icon--sm" />}
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={isOn}
        aria-checked={isOn}
        disabled={isLocked}
        aria-labelledby={`${id}-label`}
        aria-describedby={note ? `${id}-note` : undefined}
        onChange={(event) => onTurn?.(event.target.checked)}
      />
    </label>
  );
}

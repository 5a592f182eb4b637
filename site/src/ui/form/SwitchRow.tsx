import { useId } from 'react';
import { Icon } from '#site/ui/Icon.tsx';
import type { SwitchPhase } from './saved-switches.ts';

type Props = Readonly<{
  label: string;
  note?: string | undefined;
  isOn: boolean;
  /** What became of the last turn or tick. */
  phase?: SwitchPhase | undefined;
  /** Cannot be turned; `note` is the reason. */
  isLocked?: boolean;
  onTurn?(isOn: boolean): void;
}>;

/** A switch in a row that is saved as it is turned, and shows that. Goes into `.rows`. */
export function SwitchRow(props: Props) {
  return <SavedRow {...props} isSwitch />;
}

/** A checkbox in a row that is saved as it is ticked, and shows that. Goes into `.rows`. */
export function TickRow(props: Props) {
  return <SavedRow {...props} isSwitch={false} />;
}

function SavedRow(props: Props & Readonly<{ isSwitch: boolean }>) {
  const { label, note, isOn, phase, isLocked = false, onTurn, isSwitch } = props;
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
      {isSwitch && isLocked && <Icon name="lock" className="icon--sm" />}
      <input
        id={id}
        type="checkbox"
        {...(isSwitch && { role: 'switch' })}
        checked={isOn}
        disabled={isLocked}
        aria-labelledby={`${id}-label`}
        aria-describedby={note ? `${id}-note` : undefined}
        onChange={(event) => onTurn?.(event.target.checked)}
      />
    </label>
  );
}

const words = { saving: 'Saving…', saved: 'Saved', 'not-saved': 'Not saved' } as const;

/** What became of the last turn of a row's control: shown, and announced. */
function RowPhase({ phase }: Readonly<{ phase: SwitchPhase | undefined }>) {
  return (
    <span className="row__phase" data-phase={phase} role="status">
      {phase === 'saved' && <Icon name="check" className="icon--sm" />}
      {phase === 'not-saved' && <Icon name="circle-alert" className="icon--sm" />}
      {phase && <span>{words[phase]}</span>}
    </span>
  );
}

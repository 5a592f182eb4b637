import { useRef, useState } from 'react';
import { Sheet } from '#site/ui/Sheet.tsx';
import { SchedulePicker } from './SchedulePicker.tsx';
import { type Chosen, choiceInWords, chosenInstant, openChoice } from './schedule-choice.ts';

type Props = Readonly<{
  title: string;
  scheduledAt: string | null;
  /** A day without its time, or a time without its day: what is chosen so far. */
  begun?: Chosen | undefined;
  timeZone: string;
  /** The instant that was chosen, or null for none; the sheet closes right after. */
  onDone(scheduledAt: string | null): void;
  onClose(): void;
}>;

/** The picker over the page: Done takes the choice over, anything else leaves all as it was. Mounted while it is open. */
export function ScheduleSheet({ title, scheduledAt, begun, timeZone, onDone, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [now] = useState(() => new Date());
  const clock = { timeZone, now };
  const [choice, setChoice] = useState(() => openChoice(scheduledAt, clock, begun));
  const instant = chosenInstant(choice, timeZone);
  const finish = (chosen: string | null) => {
    onDone(chosen);
    dialog.current?.close();
  };
  return (
    <Sheet title={title} dialog={dialog} onClose={onClose} focusOn={'.cal [tabindex="0"]'}>
      <div className="panel__body panel__body--tight">
        <SchedulePicker label={title} choice={choice} onChoice={setChoice} clock={clock} />
      </div>
      <div className="panel__foot panel__foot--row">
        <p className="picker__sum" role="status">
          {choiceInWords(choice)}
        </p>
        <div className="picker__do">
          {(scheduledAt || begun) && (
            <button className="btn btn--quiet btn--lg" type="button" onClick={() => finish(null)}>
              Clear
            </button>
          )}
          <button
            className="btn btn--primary btn--lg"
            type="button"
            disabled={instant === null}
            onClick={() => finish(instant)}
          >
            Done
          </button>
        </div>
      </div>
    </Sheet>
  );
}

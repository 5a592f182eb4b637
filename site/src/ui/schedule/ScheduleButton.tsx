import { useId, useState } from 'react';
import { dayKind, formatDateTime } from '#site/lib/time/moments.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { ScheduleSheet } from './ScheduleSheet.tsx';
import { type Chosen, choiceInWords } from './schedule-choice.ts';

type Props = Readonly<{
  /** The field's label; `title` heads the sheet. */
  label: string;
  title?: string;
  scheduledAt: string | null;
  /** A day without its time, or a time without its day: what is chosen so far. */
  begun?: Chosen | undefined;
  timeZone: string;
  onChange(scheduledAt: string | null): void;
  /** Why nothing can be chosen; shown in place of the time. */
  unavailable?: string;
  describedBy?: string | undefined;
}>;

/** A labelled button that shows when a job is scheduled and opens the sheet to choose that. */
export function ScheduleButton(props: Props) {
  const { label, title = label, scheduledAt, begun, timeZone, onChange, unavailable, describedBy } = props;
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const notYet = begun ? choiceInWords(begun) : 'Not scheduled yet';
  const shown = scheduledAt ? formatDateTime(scheduledAt, timeZone, new Date()) : notYet;
  const isToday = scheduledAt !== null && dayKind(scheduledAt, timeZone, new Date()) === 'today';
  return (
    <div className="field">
      <span className="field__label" id={`${id}-label`}>
        {label}
      </span>
      <button
        className="status-trigger"
        type="button"
        aria-haspopup="dialog"
        aria-labelledby={`${id}-label ${id}-value`}
        aria-describedby={describedBy}
        disabled={unavailable !== undefined}
        onClick={() => setOpen(true)}
      >
        <span className={isToday ? 'dot-icon dot-icon--today' : 'dot-icon'}>
          <Icon name="calendar" />
        </span>
        <span className="num" id={`${id}-value`}>
          {unavailable ?? shown}
        </span>
        <Icon name="chevron-down" />
      </button>
      {isOpen && (
        <ScheduleSheet
          title={title}
          scheduledAt={scheduledAt}
          begun={begun}
          timeZone={timeZone}
          onDone={onChange}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}

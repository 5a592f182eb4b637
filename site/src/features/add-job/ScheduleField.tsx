import { useEffect, useId, useRef, useState } from 'react';
import { useBusyDays } from '#site/jobs/busy-days.ts';
import { FieldError } from '#site/ui/form/FieldError.tsx';
import { useFieldContext } from '#site/ui/form/form-context.ts';
import { SchedulePicker } from '#site/ui/schedule/SchedulePicker.tsx';
import { Clash, ScheduleButton } from '#site/ui/schedule/ScheduleSheet.tsx';
import {
  choiceInWords,
  chosenInstant,
  openChoice,
  type ScheduleChoice,
} from '#site/ui/schedule/schedule-choice.ts';
import type { Schedule } from './job-form.ts';

const label = 'Schedule job date and time';

type Props = Readonly<{ timeZone: string; problem: string | null }>;

/** The schedule as a button that opens the picker: where there is no room for the calendar itself. */
export function ScheduleButtonField({ timeZone, problem }: Props) {
  const field = useFieldContext<Schedule>();
  const error = useId();
  const busy = useBusyDays(null);
  const { day, slot } = field.state.value;
  const scheduledAt = chosenInstant({ day, slot }, timeZone);
  return (
    <div className="field">
      <ScheduleButton
        label={label}
        scheduledAt={scheduledAt}
        begun={scheduledAt === null && (day || slot) ? { day, slot } : undefined}
        timeZone={timeZone}
        busy={busy}
        onChange={(instant) => {
          const { day, slot } = openChoice(instant, { timeZone, now: new Date() });
          field.handleChange({ day, slot });
        }}
        describedBy={problem === null ? undefined : error}
      />
      <FieldError id={error} message={problem} />
    </div>
  );
}

/** The calendar laid open: what is clicked is chosen. */
export function ScheduleCalendarField({ timeZone, problem }: Props) {
  const field = useFieldContext<Schedule>();
  const { day, slot } = field.state.value;
  const clock = { timeZone, now: new Date() };
  const [{ month, focus }, setView] = useState<Pick<ScheduleChoice, 'month' | 'focus'>>(() =>
    openChoice(chosenInstant(field.state.value, timeZone), clock, { day, slot }),
  );
  const error = useId();
  const busy = useBusyDays(null);
  const place = useRef<HTMLDivElement>(null);
  // The button is at the other end of the form: the focus goes to what it asks for.
  useEffect(() => {
    const missing = day === null ? '.cal [tabindex="0"]' : '.slots [tabindex="0"]';
    if (problem !== null) place.current?.querySelector<HTMLElement>(missing)?.focus();
  }, [problem, day]);

  function choose(choice: ScheduleChoice): void {
    setView(choice);
    if (choice.day !== day || choice.slot !== slot) {
      field.handleChange({ day: choice.day, slot: choice.slot });
    }
  }

  const choice: ScheduleChoice = { month, focus, day, slot };

  return (
    <div ref={place}>
      <h2 className="field__label addjob__whenlabel">{label}</h2>
      <SchedulePicker
        label={label}
        choice={choice}
        onChoice={choose}
        clock={clock}
        busy={busy}
        describedBy={problem === null ? undefined : error}
      />
      <Clash choice={choice} onChoice={choose} clock={clock} busy={busy} />
      <div className="picker__foot">
        <p className="picker__sum" role="status">
          {choiceInWords({ day, slot })}
        </p>
        {(day || slot) && (
          <button
            className="btn btn--quiet btn--sm"
            type="button"
            onClick={() => field.handleChange({ day: null, slot: null })}
          >
            Clear
          </button>
        )}
      </div>
      <FieldError id={error} message={problem} />
    </div>
  );
}

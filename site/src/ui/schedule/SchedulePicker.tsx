import type { BusyDays } from './busy.ts';
import { MonthGrid } from './MonthGrid.tsx';
import { SlotButtons } from './SlotButtons.tsx';
import type { Clock, ScheduleChoice } from './schedule-choice.ts';

type Props = Readonly<{
  label: string;
  choice: ScheduleChoice;
  onChoice(choice: ScheduleChoice): void;
  clock: Clock;
  /** What is on the schedule besides. */
  busy?: BusyDays;
  describedBy?: string | undefined;
}>;

const nothingBooked: BusyDays = {};

/** A day and a half hour of it, from now on, on the clocks of the business. Has no state of its own. */
export function SchedulePicker({ label, describedBy, busy = nothingBooked, ...rest }: Props) {
  return (
    <div className="picker picker--bare" role="group" aria-label={label} aria-describedby={describedBy}>
      <MonthGrid {...rest} busy={busy} />
      <SlotButtons {...rest} busy={busy} />
    </div>
  );
}

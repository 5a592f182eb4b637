import type { SwitchesState } from '#site/lib/form/saved-switches.ts';
import { TickRow } from '#site/ui/form/TickRow.tsx';
import type { Question } from './form-api.ts';

type Props = Readonly<{
  questions: readonly Question[];
  ticks: SwitchesState<string>;
  onTick(id: string, enabled: boolean): void;
}>;

/** A tick for each question, saved as it is made. Goes into `.rows`. */
export function QuestionTicks({ questions, ticks, onTick }: Props) {
  return questions.map(({ id, title, necessary, tradie, enabled }) =>
    necessary ? (
      <TickRow key={id} label={title} note="Always asked: it says what the job is" isOn isLocked />
    ) : (
      <TickRow
        key={id}
        label={title}
        note={tradie === null ? undefined : 'Your question'}
        isOn={ticks.values[id] ?? enabled}
        phase={ticks.phases[id]}
        onTurn={(isOn) => onTick(id, isOn)}
      />
    ),
  );
}

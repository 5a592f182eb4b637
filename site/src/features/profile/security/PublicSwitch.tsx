import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { SwitchRow } from '#site/ui/form/SwitchRow.tsx';
import { publicSwitch } from './contact-store.ts';

type Props = Readonly<{ name: 'showEmail' | 'showPhone'; isShown: boolean }>;

/** Whether customers see a contact detail on the public page. */
export function PublicSwitch({ name, isShown }: Props) {
  const [{ $switches, turn }] = useState(() => publicSwitch(name, isShown));
  const { values, phases, problem } = useStore($switches);
  return (
    <div className="rows">
      <SwitchRow
        label="Show on my public page"
        {...(problem ? { note: problem } : {})}
        isOn={values[name]}
        phase={phases[name]}
        onTurn={(isOn) => void turn(name, isOn)}
      />
    </div>
  );
}

import { useState } from 'react';
import { type Appearance, appearances, chooseAppearance, readAppearance } from '#site/lib/appearance.ts';

const names: Readonly<Record<Appearance, string>> = { system: 'System', light: 'Light', dark: 'Dark' };

/** Light, dark, or as the system has it; stored in this browser. */
export function AppearanceCard() {
  const [chosen, setChosen] = useState(readAppearance);
  return (
    <fieldset className="card appearance">
      <legend className="sr">Appearance</legend>
      <strong aria-hidden="true">Appearance</strong>
      <div className="appearance__choices">
        {appearances.map((appearance) => (
          <label className="appearance__choice" key={appearance}>
            <input
              className="sr"
              type="radio"
              name="appearance"
              checked={chosen === appearance}
              onChange={() => {
                setChosen(appearance);
                chooseAppearance(appearance);
              }}
            />
            {names[appearance]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

import { type ThemeColour, themeColours } from '#core/values/theme-colours.ts';
import { Icon } from '#site/ui/Icon.tsx';

/** What the colours are called, for users of screen readers. */
const colourNames: Readonly<Record<ThemeColour, string>> = {
  '#C21313': 'Red',
  '#5053AE': 'Indigo',
  '#5C9B61': 'Green',
  '#DF7811': 'Orange',
  '#FFFFFF': 'White',
  '#626367': 'Grey',
  '#1D1B1B': 'Black',
  '#6B8FE4': 'Sky blue',
};

type Props = Readonly<{
  label: string;
  hint?: string;
  chosen: ThemeColour;
  onChoose(colour: ThemeColour): void;
}>;

/** The eight colours that a business can have, one of them chosen. */
export function ColourField({ label, hint, chosen, onChoose }: Props) {
  return (
    <fieldset className="field look__colours">
      <legend className="field__label">{label}</legend>
      <div className="swatches">
        {themeColours.map((colour) => (
          <label className="swatch" data-biz={colour.slice(1)} key={colour} title={colourNames[colour]}>
            <input
              type="radio"
              name="theme"
              aria-label={colourNames[colour]}
              checked={chosen === colour}
              onChange={() => onChoose(colour)}
            />
            <Icon name="check" />
          </label>
        ))}
      </div>
      {hint && <p className="field__hint">{hint}</p>}
    </fieldset>
  );
}

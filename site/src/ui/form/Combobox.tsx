import { useCombobox } from 'downshift';
import { useId } from 'react';
import type { Elements } from 'react/jsx-runtime';
import { Icon } from '#site/ui/Icon.tsx';
import type { IconName } from '#site/ui/icons.ts';
import { FieldError } from './FieldError.tsx';

type Props<Row> = Readonly<{
  label: string;
  /** The field's name in its form. */
  name: string;
  icon: IconName;
  placeholder?: string | undefined;
  maxLength: number;
  problem: string | null;
  /** Whether the problem comes without a keystroke, so that it has to be announced. */
  isProblemLate?: boolean;
  text: string;
  rows: readonly Row[];
  keyOf(row: Row): string;
  textOf(row: Row): string;
  /** A row as it is drawn. */
  children(row: Row): Elements;
  /** Whether the list has anything to show; it is open while the field is used. */
  hasList: boolean;
  /** What stands below the rows, and what a screen reader announces of them; '' for nothing. */
  note: string;
  spoken: string;
  /** What to do where nothing was found: outside the list, which closes as soon as the field is left. */
  wayOn?: Elements;
  /** Whether Enter sends no form, as during a search. */
  holdsEnter?: boolean;
  onType(text: string): void;
  onChoose(row: Row): void;
  onBlur?(): void;
}>;

/** A text field with a list below it, from which one row is chosen by pointer or keys. */
export function Combobox<Row>(props: Props<Row>) {
  const { label, text, rows, keyOf, textOf, hasList, note, spoken, problem, holdsEnter = false } = props;
  const error = useId();
  const box = useCombobox<Row>({
    items: [...rows],
    inputValue: text,
    selectedItem: null,
    itemToString: (row) => (row === null ? '' : textOf(row)),
    // The page may have to scroll as well, where the list is part of it.
    scrollIntoView: (row) => row?.scrollIntoView({ block: 'nearest' }),
    onSelectedItemChange: ({ selectedItem }) => {
      if (selectedItem !== null) props.onChoose(selectedItem);
    },
    // Leaving the field chooses nothing: the row under the pointer may be there by chance.
    stateReducer: (state, { type, changes }) =>
      type === useCombobox.stateChangeTypes.InputBlur
        ? { ...changes, selectedItem: state.selectedItem, inputValue: state.inputValue }
        : changes,
  });
  const isOpen = box.isOpen && hasList;
  const { htmlFor, ...labelProps } = box.getLabelProps();
  return (
    <div className="field combo">
      <label className="field__label" {...labelProps} htmlFor={htmlFor}>
        {label}
      </label>
      <span className="affix">
        <Icon name={props.icon} />
        <input
          className="input"
          {...box.getInputProps({
            onChange: (event) => props.onType(event.currentTarget.value),
            onBlur: () => props.onBlur?.(),
            onKeyDown: (event) => {
              // Escape closes the list alone, not the sheet that the form may be in.
              if ((event.key === 'Escape' && isOpen) || (event.key === 'Enter' && holdsEnter)) {
                event.preventDefault();
              }
            },
            'aria-expanded': isOpen,
          })}
          name={props.name}
          placeholder={props.placeholder}
          autoComplete="off"
          maxLength={props.maxLength}
          aria-invalid={problem !== null}
          aria-describedby={problem === null ? undefined : error}
        />
      </span>
      <div className="listbox" hidden={!isOpen}>
        <ul {...box.getMenuProps({ 'aria-label': label })}>
          {isOpen &&
            rows.map((row, index) => (
              <li key={keyOf(row)} {...box.getItemProps({ item: row, index })} className="option">
                {props.children(row)}
              </li>
            ))}
        </ul>
        {isOpen && note && <p className="option option--note">{note}</p>}
      </div>
      {props.wayOn}
      <p className="sr" role="status">
        {isOpen ? spoken : ''}
      </p>
      <FieldError id={error} message={problem} isLate={props.isProblemLate ?? false} />
    </div>
  );
}

import { useStore } from '@nanostores/react';
import { useCombobox } from 'downshift';
import { useId, useState } from 'react';
import { shortestSearch } from '#site/lib/search.ts';
import { FieldError } from '#site/ui/form/FieldError.tsx';
import { afterPointerRelease, useFieldContext } from '#site/ui/form/form-context.ts';
import { Icon } from '#site/ui/Icon.tsx';
import {
  type AddressRow,
  type AddressValue,
  announcementOf,
  linesOf,
  markedIn,
  rowsOf,
} from './address-rows.ts';
import { addressAsTyped, createAddressSearch } from './address-search.ts';

type Props = Readonly<{ label: string; maxLength: number; problem: string | null }>;

/** An address to be chosen from suggestions, or used as typed. What is typed after that is not chosen any more. */
export function AddressField({ label, maxLength, problem }: Props) {
  const field = useFieldContext<AddressValue>();
  const { text } = field.state.value;
  const [search] = useState(createAddressSearch);
  const suggested = useStore(search.$suggested);
  const isPending = useStore(search.$isPending);
  const error = useId();
  const rows = rowsOf(suggested);

  function type(typed: string): void {
    field.handleChange({ text: typed, chosen: null });
    search.type(typed);
  }

  async function choose(row: AddressRow): Promise<void> {
    const { address, id } = row;
    const chosen = { ...addressAsTyped(address), placeId: id };
    field.handleChange({ text: chosen.address, chosen });
    search.type('');
    if (id === null) return;
    const found = await search.choose({ id, address });
    // `field.state` is the state of the drawing that this began in; what was typed since is in the form.
    const { chosen: current } = field.form.getFieldValue(field.name) as AddressValue;
    if (current === chosen) field.handleChange({ text: found.address, chosen: found });
  }

  const box = useCombobox<AddressRow>({
    items: rows,
    inputValue: text,
    selectedItem: null,
    itemToString: (row) => row?.address ?? '',
    onSelectedItemChange: ({ selectedItem }) => {
      if (selectedItem) void choose(selectedItem);
    },
    // Leaving the field chooses nothing: the row under the pointer may be there by chance.
    stateReducer: (state, { type: what, changes }) =>
      what === useCombobox.stateChangeTypes.InputBlur
        ? { ...changes, selectedItem: state.selectedItem, inputValue: state.inputValue }
        : changes,
  });
  const isOpen = box.isOpen && text.trim().length >= shortestSearch && (isPending || suggested !== null);
  const { htmlFor, ...labelProps } = box.getLabelProps();
  const announcement = announcementOf(suggested, isPending);

  return (
    <div className="field combo">
      <label className="field__label" {...labelProps} htmlFor={htmlFor}>
        {label}
      </label>
      <span className="affix">
        <Icon name="map-pin" />
        <input
          className="input"
          {...box.getInputProps({
            onChange: (event) => type(event.currentTarget.value),
            onBlur: () => afterPointerRelease(field.handleBlur),
            // Escape closes the list alone, not the sheet that the form may be in.
            onKeyDown: (event) => {
              if (event.key === 'Escape' && isOpen) event.preventDefault();
            },
            'aria-expanded': isOpen,
          })}
          name="address"
          autoComplete="off"
          maxLength={maxLength}
          aria-invalid={problem !== null}
          aria-describedby={problem === null ? undefined : error}
        />
      </span>
      <div className="listbox" hidden={!isOpen}>
        <ul {...box.getMenuProps({ 'aria-label': label })}>
          {isOpen &&
            rows.map((row, index) => (
              <li key={row.id ?? 'as-typed'} {...box.getItemProps({ item: row, index })} className="option">
                <AddressOption row={row} typed={text} />
              </li>
            ))}
        </ul>
        {isOpen && announcement.note && <p className="option option--note">{announcement.note}</p>}
      </div>
      <p className="sr" role="status">
        {isOpen ? announcement.spoken : ''}
      </p>
      <FieldError id={error} message={problem} />
    </div>
  );
}

/** A row of the address list, with the typed words marked. */
function AddressOption({ row, typed }: Readonly<{ row: AddressRow; typed: string }>) {
  if (row.id === null) {
    return (
      <>
        <Icon name="check" />
        <span>
          Use this address
          <small>{row.address}</small>
        </span>
      </>
    );
  }
  const [first, rest] = linesOf(row.address);
  const [before, marked, behind] = markedIn(first, typed);
  return (
    <>
      <Icon name="map-pin" />
      <span>
        {before}
        {marked && <mark>{marked}</mark>}
        {behind}
        <small>{rest}</small>
      </span>
    </>
  );
}

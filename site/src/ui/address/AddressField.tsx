import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { searchLength } from '#core/values/text.ts';
import { Combobox } from '#site/ui/form/Combobox.tsx';
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
  const suggested = useStore(search.$found);
  const isPending = useStore(search.$isPending);

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

  const hasList = text.trim().length >= searchLength.min && (isPending || suggested !== null);
  return (
    <Combobox<AddressRow>
      label={label}
      name="address"
      icon="map-pin"
      maxLength={maxLength}
      problem={problem}
      text={text}
      rows={rowsOf(suggested)}
      keyOf={({ id }) => id ?? 'as-typed'}
      textOf={({ address }) => address}
      hasList={hasList}
      {...announcementOf(suggested, isPending)}
      onType={type}
      onChoose={(row) => void choose(row)}
      onBlur={() => afterPointerRelease(field.handleBlur)}
    >
      {(row) => <AddressOption row={row} typed={text} />}
    </Combobox>
  );
}

/** A row of the address list, with the typed words marked. */
function AddressOption({ row, typed }: Readonly<{ row: AddressRow; typed: string }>) {
  if (row.id === null) {
    return (
      <>
        <Icon name="check" />
        <span>
          <span>Use this address</span>
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
        <span>{before}</span>
        {marked && <mark>{marked}</mark>}
        <span>{behind}</span>
        <small>{rest}</small>
      </span>
    </>
  );
}

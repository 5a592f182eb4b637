import { Icon } from '#site/ui/Icon.tsx';
import { type AddressRow, linesOf, markedIn } from './address-rows.ts';

/** A row of the address list, with the typed words marked. */
export function AddressOption({ row, typed }: Readonly<{ row: AddressRow; typed: string }>) {
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

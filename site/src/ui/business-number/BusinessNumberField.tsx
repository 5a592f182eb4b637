import { useStore } from '@nanostores/react';
import { useCombobox } from 'downshift';
import { useId, useState } from 'react';
import { businessNumberLabels } from '#core/values/business.ts';
import type { Region } from '#core/values/region.ts';
import { FieldError } from '#site/ui/form/FieldError.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import { createBusinessSearch } from './business-search.ts';
import { businessFieldWords, formatBusinessNumber, isNothingFound, listWords } from './business-words.ts';
import type { FoundBusiness } from './businesses-api.ts';

type Props = Readonly<{
  region: Region;
  /** The name of the business that is chosen; '' for none. */
  chosen: string;
  problem: string | null;
  onChoose(business: FoundBusiness): void;
  /** Something else was typed: what was chosen, or refused, is not any more. */
  onClear(): void;
}>;

/** A business of the country's register, found by its number or its name. */
export function BusinessNumberField({ region, chosen, problem, onChoose, onClear }: Props) {
  const [search] = useState(() => createBusinessSearch(() => region));
  const [text, setText] = useState(chosen);
  const businesses = useStore(search.$businesses);
  const isPending = useStore(search.$isPending);
  const error = useId();
  const { label, placeholder } = businessFieldWords(region);
  const rows = businesses?.found ?? [];

  function type(typed: string): void {
    setText(typed);
    search.type(typed);
    if (chosen !== '' || problem !== null) onClear();
  }

  const box = useCombobox<FoundBusiness>({
    items: [...rows],
    inputValue: text,
    selectedItem: null,
    itemToString: (row) => row?.name ?? '',
    // The page may have to scroll as well, where the list is part of it.
    scrollIntoView: (row) => row?.scrollIntoView({ block: 'nearest' }),
    onSelectedItemChange: ({ selectedItem }) => {
      if (!selectedItem) return;
      setText(selectedItem.name);
      search.type('');
      onChoose(selectedItem);
    },
    // Leaving the field chooses nothing: the row under the pointer may be there by chance.
    stateReducer: (state, { type: what, changes }) =>
      what === useCombobox.stateChangeTypes.InputBlur
        ? { ...changes, selectedItem: state.selectedItem, inputValue: state.inputValue }
        : changes,
  });
  const isOpen = box.isOpen && chosen === '';
  const { htmlFor, ...labelProps } = box.getLabelProps();
  const { note, spoken } = listWords({ businesses, isPending, placeholder });

  return (
    <div className="field combo">
      <label className="field__label" {...labelProps} htmlFor={htmlFor}>
        {label}
      </label>
      <span className="affix">
        <Icon name="search" />
        <input
          className="input"
          {...box.getInputProps({
            onChange: (event) => type(event.currentTarget.value),
            onKeyDown: (event) => {
              // Escape closes the list alone; Enter chooses, and sends no form during a search.
              if ((event.key === 'Escape' && isOpen) || (event.key === 'Enter' && chosen === '')) {
                event.preventDefault();
              }
            },
            'aria-expanded': isOpen,
          })}
          name="business"
          placeholder={placeholder}
          autoComplete="off"
          maxLength={120}
          aria-invalid={problem !== null}
          aria-describedby={problem === null ? undefined : error}
        />
      </span>
      <div className="listbox" hidden={!isOpen}>
        <ul {...box.getMenuProps({ 'aria-label': label })}>
          {isOpen &&
            rows.map((row, index) => (
              <li key={row.bn} {...box.getItemProps({ item: row, index })} className="option">
                <BusinessOption business={row} />
              </li>
            ))}
        </ul>
        {isOpen && note && <p className="option option--note">{note}</p>}
      </div>
      {chosen === '' && !isPending && isNothingFound(businesses) && <WayOn region={region} />}
      <p className="sr" role="status">
        {isOpen ? spoken : ''}
      </p>
      <FieldError id={error} message={problem} isLate />
    </div>
  );
}

/** Where a business comes into the register of its country, and how its number is written. */
const registers: Record<Region, Readonly<{ name: string; href: string; digits: number }>> = {
  au: { name: 'abr.gov.au', href: 'https://www.abr.gov.au/', digits: 11 },
  nz: { name: 'nzbn.govt.nz', href: 'https://www.nzbn.govt.nz/', digits: 13 },
};

/** What to do where the register has no such business. Outside the list, which closes as soon as the field is left. */
function WayOn({ region }: Readonly<{ region: Region }>) {
  const { name, href, digits } = registers[region];
  const label = businessNumberLabels[region];
  return (
    <p className="field__hint">
      {`Try fewer words, or the ${digits} digits of your ${label}. No ${label} yet? Get one free at `}
      <a href={href} target="_blank" rel="noopener noreferrer">
        {name}
      </a>
      {', or '}
      <a href="/book-demo">book a demo</a> and we help you start.
    </p>
  );
}

/** A row of the register: its name, and below it number, place and how it stands where that is not well. */
function BusinessOption({ business }: Readonly<{ business: FoundBusiness }>) {
  const { name, bn, country, postcode, registered, status } = business;
  const details = [
    `${businessNumberLabels[country]} ${formatBusinessNumber(bn)}`,
    ...(postcode ? [postcode] : []),
    ...(registered ? [] : [status]),
  ];
  return (
    <span>
      {name}
      <small className="num">{details.join(' · ')}</small>
    </span>
  );
}

import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { businessNumberLabels } from '#core/values/business.ts';
import type { Region } from '#core/values/region.ts';
import { Combobox } from '#site/ui/form/Combobox.tsx';
import { createBusinessSearch, type FoundBusiness } from './business-search.ts';
import { businessFieldWords, formatBusinessNumber, isNothingFound, listWords } from './business-words.ts';

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
  const [search] = useState(() => createBusinessSearch(region));
  const [text, setText] = useState(chosen);
  const businesses = useStore(search.$found);
  const isPending = useStore(search.$isPending);
  const { label, placeholder } = businessFieldWords(region);

  function choose(business: FoundBusiness): void {
    setText(business.name);
    search.type('');
    onChoose(business);
  }

  function type(typed: string): void {
    setText(typed);
    search.type(typed);
    if (chosen !== '' || problem !== null) onClear();
  }

  return (
    <Combobox<FoundBusiness>
      label={label}
      name="business"
      icon="search"
      placeholder={placeholder}
      maxLength={120}
      problem={problem}
      isProblemLate
      text={text}
      rows={businesses?.found ?? []}
      keyOf={({ bn }) => bn}
      textOf={({ name }) => name}
      hasList={chosen === ''}
      {...listWords({ businesses, isPending, placeholder })}
      wayOn={chosen === '' && !isPending && isNothingFound(businesses) && <WayOn region={region} />}
      // Enter chooses, and sends no form during a search.
      holdsEnter={chosen === ''}
      onType={type}
      onChoose={choose}
    >
      {(business) => <BusinessOption business={business} />}
    </Combobox>
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
      <span>{`Try fewer words, or the ${digits} digits of your ${label}. No ${label} yet? Get one free at `}</span>
      <a href={href} target="_blank" rel="noopener noreferrer">
        {name}
      </a>
      <span>{', or '}</span>
      <a href="/book-demo">book a demo</a>
      <span>{' and we help you start.'}</span>
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
      <span>{name}</span>
      <small className="num">{details.join(' · ')}</small>
    </span>
  );
}

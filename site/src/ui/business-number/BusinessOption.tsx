import { businessNumberLabels } from '#core/values/business.ts';
import { formatBusinessNumber } from './business-words.ts';
import type { FoundBusiness } from './businesses-api.ts';

/** A row of the register: its name, and below it number, place and how it stands where that is not well. */
export function BusinessOption({ business }: Readonly<{ business: FoundBusiness }>) {
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

const ABN_WEIGHTS = [3, 5, 7, 9, 11, 13, 15, 17, 19];

/** The ABN that ends in these nine digits: two check digits stand before them. */
export function abnOf(nineDigits: number): string {
  const tail = String(nineDigits).padStart(9, '0');
  const sum = ABN_WEIGHTS.reduce((total, weight, index) => total + weight * Number(tail[index]), 0);
  return `${10 + ((89 - (sum % 89)) % 89)}${tail}`;
}

/** The NZBN with these eight digits behind 9429 and its check digit at the end. */
export function nzbnOf(eightDigits: number): string {
  const head = `9429${String(eightDigits).padStart(8, '0')}`;
  const sum = [...head].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return `${head}${(10 - (sum % 10)) % 10}`;
}

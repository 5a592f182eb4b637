/** First and last name out of `OKAFOR, SAM JAMES`, as registers write a sole trader; null for another form. */
export function soleTraderName(entityName: string): { firstName: string; lastName: string } | null {
  const [last, first, ...rest] = entityName.split(',').map((part) => part.trim());
  if (!last || !first || rest.length > 0) return null;
  return { firstName: capitals(first.split(' ')[0] ?? ''), lastName: capitals(last) };
}

/** `O'BRIEN-SMITH` → `O'Brien-Smith`; what has small letters already stays as it is. */
function capitals(name: string): string {
  if (name !== name.toUpperCase()) return name;
  return name.toLowerCase().replace(/(^|[\s'’-])\p{L}/gu, (start) => start.toUpperCase());
}

const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'Mac'],
  ['Linux', 'Linux'],
] as const;

/** What a session's owner knows a browser by ("Firefox on Windows"): our own words, nothing that the client wrote. */
export function deviceOf(headers: Headers): string {
  const agent = headers.get('user-agent') ?? '';
  const browser = BROWSERS.find(([mark]) => agent.includes(mark))?.[1] ?? 'A browser';
  const system = SYSTEMS.find(([mark]) => agent.includes(mark))?.[1];
  return system ? `${browser} on ${system}` : browser;
}

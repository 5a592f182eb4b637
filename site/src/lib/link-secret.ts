const parameter = 't';

/**
 * The secret of the mailed link that led to this page, null where the address has none. It leaves the address bar for
 * the state of this page's history entry: a phone that reloads the page on the way back from a password manager still
 * finds it, and nothing that is copied or sent along with a request holds it.
 */
export function takeLinkSecret(): string | null {
  const inAddress = new URLSearchParams(location.search).get(parameter);
  if (inAddress === null) return stored();
  const secret = inAddress.trim();
  history.replaceState({ linkSecret: secret }, '', location.pathname);
  return secret;
}

function stored(): string | null {
  const secret: unknown = history.state?.linkSecret;
  return typeof secret === 'string' ? secret : null;
}

/** What `EVENTSTORE_URL` says, checked and completed. */
export type ConnectionSettings = Readonly<{
  /** For the client, without the credentials: those go with each call. */
  connectionString: string;
  /** Absent when the address names none. */
  credentials?: Readonly<{ username: string; password: string }>;
}>;

const SHAPE = /^(esdb(?:\+discover)?):\/\/(?:([^:@/?]+):([^@/?]+)@)?([^@/?]+)\/?(?:\?(.*))?$/;
const HOST = /^(?:[A-Za-z0-9._-]+)(?::\d{1,5})?$/;

/** What the client knows, as it spells it. */
const options = [
  'connectionName',
  'defaultDeadline',
  'discoveryInterval',
  'gossipTimeout',
  'keepAliveInterval',
  'keepAliveTimeout',
  'maxDiscoverAttempts',
  'nodePreference',
  'tls',
  'tlsCAFile',
  'userCertFile',
  'userKeyFile',
] as const;

/** A connection that went dead without a word is noticed after the sum of both, in milliseconds. */
const defaults = { keepAliveInterval: '10000', keepAliveTimeout: '10000', connectionName: 'ute' };

/**
 * Reads `esdb://user:password@host:2113?tls=true&tlsCAFile=…` or `esdb+discover://…`; several hosts are parted by commas.
 * Throws RangeError that says what it must be and repeats nothing of it: the address holds a password, and the client
 * itself would print it.
 */
export function readConnectionString(url: string): ConnectionSettings {
  const [, scheme, username, password, hosts = '', query = ''] = SHAPE.exec(url.trim()) ?? [];
  if (!scheme) throw new RangeError('an address such as esdb://user:password@host:2113 or esdb+discover://…');
  if (!hosts.split(',').every((host) => HOST.test(host)))
    throw new RangeError('an address whose hosts look like node.example.com:2113');
  const given = { ...defaults, ...readOptions(query) };
  const settings = new URLSearchParams(given).toString().replaceAll('+', '%20');
  const connectionString = `${scheme}://${hosts}?${settings}`;
  if (username === undefined || password === undefined) return { connectionString };
  return { connectionString, credentials: { username: decode(username), password: decode(password) } };
}

function readOptions(query: string): Record<string, string> {
  const read: Record<string, string> = {};
  for (const pair of query.split('&').filter((text) => text !== '')) {
    const [key = '', value = ''] = pair.split('=', 2);
    const name = options.find((known) => flat(known) === flat(key));
    if (flat(key) === 'tlsverifycert') {
      throw new RangeError('without tlsVerifyCert, which has no effect: name the authority with tlsCAFile');
    }
    if (!name) throw new RangeError(`without other options than ${options.join(', ')}`);
    if (value === '') throw new RangeError(`with a value for ${name}`);
    if (name === 'tls' && !/^(?:true|false)$/.test(value)) throw new RangeError('with tls=true or tls=false');
    if (/Interval|Timeout|Deadline|Attempts/.test(name) && !/^-?\d+$/.test(value)) {
      throw new RangeError(`with a whole number for ${name}`);
    }
    read[name] = decode(value);
  }
  return read;
}

function flat(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RangeError('without a % that starts no escape');
  }
}

/** `host:port`, `10.0.0.1:2113` or `[fd00::1]:2113`. */
export type Endpoint = string;

/** What `EVENTSTORE_URL` says, checked and completed. */
export type ConnectionSettings = Readonly<{
  /** The hosts of the address with their ports. */
  hosts: readonly [Endpoint, ...Endpoint[]];
  /** Whether the leader has to be asked for: with several hosts, and where the address says `discover`. */
  discovers: boolean;
  /** Milliseconds for one question after the leader, and between two rounds of questions. */
  gossipMs: number;
  intervalMs: number;
  /** By the client's names. */
  options: Readonly<Record<string, string>>;
  /** Absent when the address names none. */
  credentials?: Readonly<{ username: string; password: string }>;
}>;

const SHAPE = /^(esdb(?:\+discover)?):\/\/(?:([^:@/?]+):([^@/?]+)@)?([^@/?]+)\/?(?:\?(.*))?$/;
const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?$/;

const PORT = 2113;
const GOSSIP_SECONDS = 1;
const INTERVAL_MS = 250;

/**
 * What the client knows, as it spells it. `maxDiscoverAttempts` and `nodePreference` are of no effect: the leader is always
 * looked for, until it is found.
 */
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
  const given: Readonly<Record<string, string>> = { ...defaults, ...readOptions(query) };
  const [first = '', ...others] = hosts
    .split(',')
    .map((host) => (/:\d+$/.test(host.replace(/^\[.*\]/, '')) ? host : `${host}:${PORT}`));
  const read = {
    hosts: [first, ...others] as const,
    discovers: scheme === 'esdb+discover' || others.length > 0,
    gossipMs: 1_000 * Number(given['gossipTimeout'] ?? GOSSIP_SECONDS),
    intervalMs: Number(given['discoveryInterval'] ?? INTERVAL_MS),
    options: given,
  };
  if (username === undefined || password === undefined) return read;
  return { ...read, credentials: { username: decode(username), password: decode(password) } };
}

/** An IPv6 address stands in brackets. */
export function endpointOf(address: string, port: number): Endpoint {
  return address.includes(':') && !address.startsWith('[') ? `[${address}]:${port}` : `${address}:${port}`;
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

import { readConnectionString } from '#core/event-store/eventstoredb/connection-string.ts';
import type { EnvironmentReader } from './environment-reader.ts';
import { isGuessable } from './guessable.ts';
import { DEFAULT_COST } from './providers.ts';

/** What a hash of a password takes, in KiB: the least that OWASP's Password Storage Cheat Sheet names for Argon2id in two passes. */
export const PASSWORD_MEMORY = 19_456;

type Login = Readonly<{ user: string; password: string }>;

/** Passwords that servers come with, or that are tried first. */
const defaultPasswords = ['changeit', 'postgres', 'password', 'admin', 'minioadmin'];

/** They come with EventStoreDB, and may delete the log. */
const serverUsers = ['admin', 'ops'];

/** Tokens that an operator makes up. */
const tokenVariables = ['METRICS_TOKEN', 'SERVICE_KEY'] as const;

/** What a provider gives out. That of a sandbox is often the same sign many times. */
const providerSecrets = [
  ...['TURNSTILE_SECRET', 'S3_SECRET_ACCESS_KEY', 'TWILIO_TOKEN', 'MESSAGEMEDIA_KEY', 'MESSAGEMEDIA_SECRET'],
  ...[
    'GOOGLE_PLACES_KEY',
    'ADDRESSFINDER_KEY',
    'ADDRESSFINDER_SECRET',
    'ASSISTANT_KEY',
    'ABR_GUID',
    'NZBN_KEY',
  ],
];
const FEWEST = 5;

const loginVariables = ['DATABASE_URL', 'MIGRATION_DATABASE_URL', 'EVENTSTORE_URL', 'SMTP_URL'] as const;

const isHttp = (raw: string) => /^http:/i.test(raw);

/** Whether what a variable names is reached without encryption. Postgres and a mail relay of this machine need none. */
const transports: Readonly<Record<string, (raw: string) => boolean>> = {
  PUBLIC_ORIGIN: isHttp,
  DATABASE_URL: isOpenPostgres,
  MIGRATION_DATABASE_URL: isOpenPostgres,
  EVENTSTORE_URL: (raw) => readConnectionString(raw).options['tls'] === 'false',
  SMTP_URL: (raw) => /[?&]tls=off(?:&|$)/.test(raw) && !isHere(URL.parse(raw)?.hostname ?? ''),
  TURNSTILE_URL: isHttp,
  SMS_URL: isHttp,
  ADDRESSES_URL: isHttp,
  ABR_URL: isHttp,
  NZBN_URL: isHttp,
  S3_ENDPOINT: isHttp,
  TILES_URL: isHttp,
  ASSISTANT_URL: isHttp,
  // A collector often runs beside the process.
  OTEL_EXPORTER_OTLP_ENDPOINT: (raw) => isHttp(raw) && !isHere(URL.parse(raw)?.hostname ?? ''),
};

/**
 * What production refuses although it is understood: proxies that are not counted, default, repeated or guessable passwords and tokens, ways that
 * are not encrypted unless `ALLOW_INSECURE` names their variable, a bot check that costs a script nothing, and hashes of passwords
 * that cost a thief nothing.
 */
export function refuseUnsafe(
  read: EnvironmentReader,
  {
    botCheckCost,
    formLeastSeconds,
    passwordMemory,
  }: Readonly<{ botCheckCost: number; formLeastSeconds: number; passwordMemory: number }>,
): void {
  if (read.raw('TRUSTED_PROXIES') === undefined) {
    read.problem(
      'TRUSTED_PROXIES',
      'is required in production: how many of your proxies append to X-Forwarded-For, 0 for none',
    );
  }
  if (botCheckCost < DEFAULT_COST) {
    read.problem('BOT_CHECK_COST', `cannot be below ${DEFAULT_COST} in production`);
  }
  if (passwordMemory < PASSWORD_MEMORY) {
    read.problem('PASSWORD_MEMORY', `cannot be below ${PASSWORD_MEMORY} in production`);
  }
  if (formLeastSeconds === 0) read.problem('FORM_LEAST_SECONDS', 'cannot be 0 in production');
  refusePasswords(read);
  refuseGuessable(read);
  refuseOpenTransports(read);
}

function refusePasswords(read: EnvironmentReader): void {
  const seen = new Map<string, string>();
  for (const name of loginVariables) {
    const login = loginOf(name, read.raw(name));
    if (name === 'EVENTSTORE_URL' && login && serverUsers.includes(login.user.toLowerCase())) {
      read.problem(
        name,
        'has a user that administers the server: let ute event-store secure make one of its own',
      );
    }
    if (!login || login.password === '') continue;
    const { user, password } = login;
    const before = seen.get(password);
    if (defaultPasswords.includes(password.toLowerCase())) read.problem(name, 'has a default password');
    else if (password === user) read.problem(name, 'has its user for a password');
    else if (before !== undefined) read.problem(name, `has the password of ${before}`);
    else if (isGuessable(password, '', FEWEST)) read.problem(name, 'has a password that can be guessed');
    seen.set(password, before ?? name);
  }
}

function refuseGuessable(read: EnvironmentReader): void {
  for (const name of tokenVariables) {
    const raw = read.raw(name);
    if (raw !== undefined && isGuessable(raw, name))
      read.problem(name, 'can be guessed: make one with `openssl rand -hex 24`');
  }
  for (const name of providerSecrets) {
    const raw = read.has(name) ? read.raw(name) : undefined;
    if (raw === undefined) continue;
    if (new Set(raw).size < FEWEST || defaultPasswords.includes(raw.toLowerCase()))
      read.problem(name, 'is no secret: take the one of your account with the provider');
  }
}

/** Null where there is none, or where the variable cannot be read, which is reported elsewhere. */
function loginOf(name: (typeof loginVariables)[number], raw: string | undefined): Login | null {
  if (raw === undefined) return null;
  try {
    if (name === 'EVENTSTORE_URL') {
      const { credentials } = readConnectionString(raw);
      return credentials ? { user: credentials.username, password: credentials.password } : null;
    }
    const { username, password } = new URL(raw);
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return null;
  }
}

function refuseOpenTransports(read: EnvironmentReader): void {
  const allowed = (read.raw('ALLOW_INSECURE') ?? '').split(',').map((name) => name.trim());
  const known = Object.keys(transports);
  for (const name of allowed.filter((name) => name !== '' && !known.includes(name))) {
    read.problem('ALLOW_INSECURE', `does not know "${name}"; it knows ${known.join(', ')}`);
  }
  for (const [name, isOpen] of Object.entries(transports)) {
    const raw = read.raw(name);
    if (raw === undefined || allowed.includes(name)) continue;
    if (isOpenAt(isOpen, raw)) read.problem(name, 'is not encrypted: use TLS, or name it in ALLOW_INSECURE');
  }
}

function isOpenAt(isOpen: (raw: string) => boolean, raw: string): boolean {
  try {
    return isOpen(raw);
  } catch {
    return false;
  }
}

function isOpenPostgres(raw: string): boolean {
  const { hostname, searchParams } = new URL(raw);
  const isOff =
    searchParams.get('sslmode') === 'disable' || /^(?:false|0)$/.test(searchParams.get('ssl') ?? '');
  return isOff && !isHere(searchParams.get('host') ?? hostname);
}

/** Whether a host is this machine, by name or address, or a socket of it. */
export function isHere(host: string): boolean {
  return host === '' || host.startsWith('/') || /^(?:localhost|127\.[\d.]+|\[?::1\]?)$/.test(host);
}

import { EventStoreUnavailableError, SilentServerError, type Unreached } from '#core/event-store/errors.ts';
import type { Endpoint } from './connection-string.ts';

/** What the operator reads behind the name of the server. */
const words: Readonly<Record<Unreached, string>> = {
  'connection-refused': 'refuses the connection: see that the server runs and listens on this port',
  'name-not-found': 'is a name that is not found: see DNS',
  'no-route': 'cannot be reached over the network',
  'certificate-not-trusted': 'has a certificate of another authority: name its own with tlsCAFile',
  'certificate-of-another-host': 'has a certificate that does not name this host or address',
  'certificate-expired': 'has a certificate that is not valid today',
  'no-tls': 'does not speak TLS: its certificate is not in use, or tls=false is missing',
  'connection-lost': 'closed the connection',
  'no-answer': 'gives no answer in time',
  'no-leader': 'knows no leader that answers',
  'credentials-refused': 'refuses the credentials',
};

/** By what gRPC, Node's names of errors and our own connector write into the text of a failed call; the first that fits. */
const signs: readonly (readonly [RegExp, Unreached])[] = [
  [/ECONNREFUSED/, 'connection-refused'],
  [/ENOTFOUND|EAI_AGAIN|ENODATA|ESERVFAIL|Name resolution failed/, 'name-not-found'],
  [/EHOSTUNREACH|ENETUNREACH|ETIMEDOUT/, 'no-route'],
  [/ERR_TLS_CERT_ALTNAME_INVALID/, 'certificate-of-another-host'],
  [/CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/, 'certificate-expired'],
  [/UNABLE_TO_|SELF_SIGNED|CERT_/, 'certificate-not-trusted'],
  [/WRONG_VERSION_NUMBER|ERR_SSL|TLS failed/, 'no-tls'],
  [/ECONNRESET|EPIPE|Socket closed|Connection dropped|GOAWAY/i, 'connection-lost'],
];

/** Why there was no connection, by what a call on it ended with. */
export function unreachedBy(error: unknown): Unreached | undefined {
  if (error instanceof EventStoreUnavailableError && error.code !== undefined) return error.code;
  if (error instanceof SilentServerError) return 'no-answer';
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? error.code : undefined;
  if (code === 7 || code === 16) return 'credentials-refused';
  return signs.find(([sign]) => sign.test(error.message))?.[1] ?? (code === 4 ? 'no-answer' : undefined);
}

/** The same failure with the name of the server and why; an error that says no reason comes back as it is. */
export function naming<E extends EventStoreUnavailableError>(error: E, endpoint: Endpoint): E {
  const code = unreachedBy(error) ?? unreachedBy(error.cause);
  if (code === undefined) return error;
  const Same = error.constructor as new (message: string, options: ErrorOptions & { code: Unreached }) => E;
  return new Same(`${endpoint} ${words[code]}`, { cause: error.cause, code });
}

import { mkdirSync, readFileSync } from 'node:fs';
import { type Config, ConfigError, readConfig } from '#api/runtime/config/config.ts';
import { loadSecrets } from '#api/runtime/launch/secrets.ts';
import { freePort } from './listen.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The configuration of this process. Outside production, keys that the environment lacks come from the data folder,
 * made on the first run. Throws ConfigError.
 */
export function configure(environment: Environment): Config {
  const { environment: given, unread } = withSecretFiles(environment);
  const env = given.PORT === '0' ? { ...given, PORT: String(freePort('127.0.0.1')) } : given;
  if (env.NODE_ENV === 'production') return readConfig(env, unread);
  return readConfig({ ...loadSecrets(dataFolder(env.DATA_DIR?.trim() || '.data')), ...env }, unread);
}

function dataFolder(path: string): string {
  try {
    mkdirSync(path, { recursive: true });
    return path;
  } catch (error) {
    throw new ConfigError(
      `The data folder ${path} cannot be written (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
}

/** What must not stand in an environment that others can look at: each may come from a file instead. */
const secrets = [
  'DATABASE_URL',
  'MIGRATION_DATABASE_URL',
  'EVENTSTORE_URL',
  'EVENTSTORE_ADMIN_URL',
  'DATA_KEY',
  'TOKEN_KEY',
  'CLAIM_KEY',
  'BOT_CHECK_KEY',
  'LOG_KEY',
  'LOG_KEY_BEFORE',
  'METRICS_TOKEN',
  'TURNSTILE_SECRET',
  'ABR_GUID',
  'NZBN_KEY',
  'S3_SECRET_ACCESS_KEY',
  'SMTP_URL',
  'TWILIO_TOKEN',
  'MESSAGEMEDIA_KEY',
  'MESSAGEMEDIA_SECRET',
  'GOOGLE_PLACES_KEY',
  'ADDRESSFINDER_KEY',
  'ADDRESSFINDER_SECRET',
  'ASSISTANT_KEY',
  'SERVICE_KEY',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const;

/** `unread`: the secrets whose file cannot be read, or that are given both ways, each with what is to be reported of it. */
export type WithSecrets = Readonly<{ environment: Environment; unread: ReadonlyMap<string, string> }>;

/** The environment, with the contents of the file that `DATA_KEY_FILE` names as `DATA_KEY`, and so on for every secret. */
export function withSecretFiles(environment: Environment): WithSecrets {
  const read: Record<string, string> = {};
  const unread = new Map<string, string>();
  for (const name of secrets) {
    const file = environment[`${name}_FILE`]?.trim();
    if (!file) continue;
    if (environment[name]?.trim()) {
      unread.set(name, `${name} is given twice, as ${name}_FILE too`);
      continue;
    }
    try {
      read[name] = readFileSync(file, 'utf8').trim();
    } catch (error) {
      unread.set(name, `${name}_FILE cannot be read (${(error as NodeJS.ErrnoException).code})`);
    }
  }
  return { environment: { ...environment, ...read }, unread };
}

/** As `withSecretFiles`, for what needs no other configuration. Throws ConfigError, a line for each secret not read. */
export function readWithSecretFiles(given: Environment): Environment {
  const { environment, unread } = withSecretFiles(given);
  if (unread.size === 0) return environment;
  throw new ConfigError([...unread.values()].map((problem) => `Configuration: ${problem}.`).join('\n'));
}

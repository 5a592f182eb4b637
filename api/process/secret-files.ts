import { readFileSync } from 'node:fs';
import { ConfigError } from '../config.ts';

type Environment = Readonly<Record<string, string | undefined>>;

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
] as const;

/**
 * The environment, with the contents of the file that `DATA_KEY_FILE` names as `DATA_KEY`, and so on for every secret.
 * Throws ConfigError when a file cannot be read, or when a secret is given both ways.
 */
export function withSecretFiles(environment: Environment): Environment {
  const read: Record<string, string> = {};
  for (const name of secrets) {
    const file = environment[`${name}_FILE`]?.trim();
    if (!file) continue;
    if (environment[name]?.trim())
      throw new ConfigError(`Configuration: ${name} is given twice, as ${name}_FILE too.`);
    read[name] = readSecret(name, file);
  }
  return { ...environment, ...read };
}

function readSecret(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`Configuration: ${name}_FILE cannot be read (${code}).`);
  }
}

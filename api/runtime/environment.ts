import { mkdirSync } from 'node:fs';
import { type Config, ConfigError, readConfig } from './config/config.ts';
import { freePort } from './free-port.ts';
import { loadSecrets } from './launch/secrets.ts';
import { withSecretFiles } from './secret-files.ts';

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

import type { Command } from 'commander';
import { ConfigError } from '#api/runtime/config/config.ts';
import { readWithSecretFiles } from '#api/runtime/environment.ts';
import { migrate } from '#migrations/run.ts';
import { print, printError } from './terminal.ts';

export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description(
      'Runs the migrations that the database of MIGRATION_DATABASE_URL lacks. Needs no other variable: where it is run before each start, the product itself never has the address of the owner.',
    )
    .action(async () => {
      try {
        const { MIGRATION_DATABASE_URL: url = '' } = readWithSecretFiles(process.env);
        if (!URL.canParse(url) || !/^postgres(ql)?:$/.test(new URL(url).protocol))
          throw new ConfigError('Configuration: MIGRATION_DATABASE_URL must be a postgres:// address.');
        const applied = await migrate(url);
        print(applied.length === 0 ? ['nothing is missing'] : applied.map((name) => `applied ${name}`));
      } catch (error) {
        printError(lineOf(error));
        process.exitCode = 1;
      }
    });
}

/** What the driver says may hold the address: then its code is enough. */
function lineOf(error: unknown): string {
  if (error instanceof Error && ['ConfigError', 'MigrationError'].includes(error.name)) return error.message;
  const { code } = error as { code?: string };
  return `Configuration: MIGRATION_DATABASE_URL cannot be used${code ? ` (${code})` : ''}.`;
}

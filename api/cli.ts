import { Command } from 'commander';

/** What adds each command. A run loads its own alone: all of them would double the processor time of a start. */
const commands: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  announce: async () => (await import('#api/announcements/commands.ts')).addAnnounceCommand,
  audit: async () => (await import('#api/proof/commands/audit.ts')).addAuditCommand,
  backup: async () => (await import('#api/backup/commands/backup.ts')).addBackupCommand,
  doctor: async () => (await import('#api/cli/doctor/doctor.ts')).addDoctorCommand,
  'event-store': async () => (await import('#api/cli/log.ts')).addEventStoreCommand,
  forget: async () => (await import('#api/privacy/commands/forget.ts')).addForgetCommand,
  hold: async () => (await import('#api/privacy/commands/hold.ts')).addHoldCommand,
  import: async () => (await import('#api/intake/import/commands.ts')).addImportCommand,
  keys: async () => (await import('#api/cli/keys.ts')).addKeysCommand,
  log: async () => (await import('#api/cli/log.ts')).addLogCommand,
  'log-key': async () => (await import('#api/cli/keys.ts')).addLogKeyCommand,
  migrate: async () => (await import('#api/cli/migrate.ts')).addMigrateCommand,
  outbox: async () => (await import('#api/outbox/commands.ts')).addOutboxCommand,
  plan: async () => (await import('#api/businesses/commands.ts')).addPlanCommand,
  processes: async () => (await import('#api/cli/processes.ts')).addProcessesCommand,
  projections: async () => (await import('#api/cli/projections.ts')).addProjectionsCommand,
  proof: async () => (await import('#api/proof/commands/proof.ts')).addProofCommand,
  restore: async () => (await import('#api/backup/commands/restore.ts')).addRestoreCommand,
  retention: async () => (await import('#api/privacy/commands/retention.ts')).addRetentionCommand,
  seed: async () => (await import('#api/seed/commands.ts')).addSeedCommand,
  'work-order': async () => (await import('#api/intake/commands.ts')).addWorkOrderCommand,
};

/**
 * `ute` for a line of words: with the command that the first one names, or with all of them where it names none, as for the
 * help and for what is misspelt.
 */
export async function commandLine([name = '']: readonly string[]): Promise<Command> {
  const program = new Command('ute').description('Looks after an installation of Ute.').showHelpAfterError();
  await import('#core/kernel/schema-settings.ts');
  const named = Object.hasOwn(commands, name) ? commands[name] : undefined;
  for (const load of named ? [named] : Object.values(commands)) (await load())(program);
  return program;
}

if (import.meta.main) {
  const words = process.argv.slice(2);
  await (await commandLine(words)).parseAsync(words, { from: 'user' });
}

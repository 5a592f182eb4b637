import { Command } from 'commander';
import { addLogKeyCommand } from '#api/cli/keys.ts';
import { addEventStoreCommand, addLogCommand } from '#api/cli/log.ts';
import { addAnnounceCommand } from './cli/announce.ts';
import { addAuditCommand } from './cli/audit/audit.ts';
import { addProofCommand } from './cli/audit/proof.ts';
import { addBackupCommand } from './cli/backup.ts';
import { addDoctorCommand } from './cli/doctor/doctor.ts';
import { addForgetCommand } from './cli/forget.ts';
import { addHoldCommand } from './cli/hold.ts';
import { addImportCommand } from './cli/import/import.ts';
import { addKeysCommand } from './cli/keys.ts';
import { addMigrateCommand } from './cli/migrate.ts';
import { addOutboxCommand } from './cli/outbox.ts';
import { addPlanCommand } from './cli/plan.ts';
import { addProcessesCommand } from './cli/processes.ts';
import { addProjectionsCommand } from './cli/projections.ts';
import { addRestoreCommand } from './cli/restore.ts';
import { addRetentionCommand } from './cli/retention.ts';
import { addSeedCommand } from './cli/seed/seed.ts';
import { addWorkOrderCommand } from './cli/work-order.ts';

/** `ute` with all its commands. */
export function commandLine(): Command {
  const program = new Command('ute').description('Looks after an installation of Ute.').showHelpAfterError();
  addAnnounceCommand(program);
  addAuditCommand(program);
  addBackupCommand(program);
  addDoctorCommand(program);
  addEventStoreCommand(program);
  addForgetCommand(program);
  addHoldCommand(program);
  addImportCommand(program);
  addKeysCommand(program);
  addLogCommand(program);
  addLogKeyCommand(program);
  addMigrateCommand(program);
  addOutboxCommand(program);
  addPlanCommand(program);
  addProcessesCommand(program);
  addProjectionsCommand(program);
  addProofCommand(program);
  addRestoreCommand(program);
  addRetentionCommand(program);
  addSeedCommand(program);
  addWorkOrderCommand(program);
  return program;
}

if (import.meta.main) await commandLine().parseAsync();

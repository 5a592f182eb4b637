import { Command } from 'commander';
import { addAuditCommand } from './cli/audit.ts';
import { addProjectionsCommand } from './cli/projections.ts';
import { addSeedCommand } from './cli/seed.ts';

const program = new Command('ute').description('Looks after an installation of Ute.').showHelpAfterError();
addAuditCommand(program);
addProjectionsCommand(program);
addSeedCommand(program);
await program.parseAsync();

import { Command } from 'commander';
import { addAuditCommand } from './cli/audit.ts';
import { addOutboxCommand } from './cli/outbox.ts';
import { addProjectionsCommand } from './cli/projections.ts';
import { addSeedCommand } from './cli/seed.ts';
import { addWorkOrderCommand } from './cli/work-order.ts';

const program = new Command('ute').description('Looks after an installation of Ute.').showHelpAfterError();
addAuditCommand(program);
addProjectionsCommand(program);
addOutboxCommand(program);
addSeedCommand(program);
addWorkOrderCommand(program);
await program.parseAsync();

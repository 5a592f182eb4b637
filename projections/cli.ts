import { Command } from 'commander';
import { addAnnounceCommand } from './cli/announce.ts';
import { addAuditCommand } from './cli/audit.ts';
import { addOutboxCommand } from './cli/outbox.ts';
import { addPlanCommand } from './cli/plan.ts';
import { addProjectionsCommand } from './cli/projections.ts';
import { addSeedCommand } from './cli/seed.ts';
import { addWorkOrderCommand } from './cli/work-order.ts';

const program = new Command('ute').description('Looks after an installation of Ute.').showHelpAfterError();
addAnnounceCommand(program);
addAuditCommand(program);
addOutboxCommand(program);
addPlanCommand(program);
addProjectionsCommand(program);
addSeedCommand(program);
addWorkOrderCommand(program);
await program.parseAsync();

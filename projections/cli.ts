import { Command } from 'commander';
import { addProjectionsCommand } from './cli/projections.ts';
import { addSeedCommand } from './cli/seed.ts';

const program = new Command('ute').description('Looks after an installation of Ute.').showHelpAfterError();
addProjectionsCommand(program);
addSeedCommand(program);
await program.parseAsync();

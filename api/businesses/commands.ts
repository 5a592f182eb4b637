import { Argument, type Command } from 'commander';
import { type System, withSystem } from '#api/cli/system.ts';
import { print } from '#api/cli/terminal.ts';
import { findForm } from '#api/intake/public-form.ts';
import type { ChangePlan } from '#core/business/commands.ts';
import { businessDecider } from '#core/business/decider.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { type Plan, plans } from '#core/values/product.ts';
import { keepLogo } from './stored-files.ts';

export function addPlanCommand(program: Command): void {
  program
    .command('plan')
    .description('What a business may do.')
    .command('set')
    .argument('<slug>', 'whose: the last part of the address of its public form')
    .addArgument(new Argument('<plan>', 'what it is on from now on').choices(plans))
    .description('Puts a business on another plan; one without a logo takes the logo away.')
    .action((slug: string, plan: Plan) => withSystem((system) => setPlan(system, slug, plan)));
}

async function setPlan(system: System, slug: string, plan: Plan): Promise<boolean> {
  const now = system.now();
  const found = await findForm(system, slug);
  if (!found) throw new Error('There is no business with this address.');
  const { businessId } = found;
  const command: ChangePlan = { type: 'ChangePlan', at: now.toISOString(), data: { businessId, plan } };
  const cause = { commandId: crypto.randomUUID(), actor: 'system', correlation: 'plan-set' };
  const stream = streamName('business', businessId);
  const { events, state } = await handleCommand(system.store, businessDecider, stream, command, cause);
  await keepLogo(system.db, businessId, state?.logo ?? null, now);
  const lostLogo = events.some(({ type }) => type === 'LogoRemoved');
  print([
    `${found.form.slug} ${events.length > 0 ? 'is now' : 'is already'} on ${plan}`,
    ...(lostLogo ? [`its logo was taken away, because ${plan} includes none`] : []),
  ]);
  return true;
}

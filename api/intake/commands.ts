import { type } from 'arktype';
import type { Command } from 'commander';
import { withSystem } from '#api/cli/system.ts';
import { print } from '#api/cli/terminal.ts';
import { receiveWorkOrder, WorkOrder } from '#api/intake/work-order.ts';
import { InvalidInputError, NotFoundError } from '#core/kernel/errors.ts';
import { jobReference } from '#core/values/job-form.ts';

type Options = Readonly<{
  business: string;
  name: string;
  email: string;
  phone: string;
  address: string;
  title: string;
  description?: string;
  urgent?: boolean;
  at?: string;
  key?: string;
}>;

export function addWorkOrderCommand(program: Command): void {
  program
    .command('work-order')
    .description('Jobs from the product itself.')
    .command('send')
    .requiredOption('--business <slug>', 'whose: the last part of the address of its public form')
    .requiredOption('--name <name>', "the customer's name")
    .requiredOption('--email <email>', "the customer's email")
    .requiredOption('--phone <phone>', "the customer's mobile number")
    .requiredOption('--address <address>', 'where the work is')
    .requiredOption('--title <title>', 'what it is, in a few words')
    .option('--description <text>', 'what is to be done')
    .option('--urgent', 'it cannot wait')
    .option('--at <instant>', 'when, such as 2026-11-20T09:00:00+11:00')
    .option('--key <key>', 'the same key again sends the same order once')
    .description('Sends a work order to a business.')
    .action((options: Options) => send(options));
}

function send({ urgent = false, at, key = crypto.randomUUID(), ...fields }: Options): Promise<void> {
  return withSystem(async (system) => {
    const order = WorkOrder({ ...fields, isUrgent: urgent, scheduledAt: at ?? null });
    if (order instanceof type.errors) throw new Error(order.map(lineOf).join('\n'));
    const id = await receiveWorkOrder(system, { order, key, correlation: 'work-order-send' }).catch(explain);
    print([`sent ${id} (${jobReference(id)})`]);
    return true;
  });
}

function lineOf({ path, message }: { path: readonly PropertyKey[]; message: string }): string {
  return `${[...path].join('.')}: ${message}`;
}

function explain(error: unknown): never {
  if (error instanceof NotFoundError) throw new Error('There is no business with this address.');
  if (!(error instanceof InvalidInputError)) throw error;
  const lines = Object.entries(error.fields).map(([field, message]) => `${field}: ${message}`);
  throw new Error(lines.length > 0 ? lines.join('\n') : error.message);
}

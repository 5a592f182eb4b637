import '#core/kernel/schema-settings.ts';
import { format } from 'node:util';

/** What a process that tests start is to be: the product, or a host of command lines. */
export type Hosted = 'product' | 'commands';

/** One command line for `runUte`'s host; `end` is what it writes to both streams behind all else. */
export type HostedCommand = Readonly<{
  environment: Readonly<Record<string, string>>;
  words: readonly string[];
  end: string;
}>;

/** The product without what installs and builds it. Prints one line once it listens. */
async function product(): Promise<void> {
  const { startUte } = await import('#api/main.ts');
  const { stopOnSignal } = await import('#api/runtime/launch/signals.ts');
  const starting = startUte(process.env);
  stopOnSignal(async () => (await starting).stop());
  try {
    const { stop: _, ...announced } = await starting;
    console.log(JSON.stringify(announced));
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}

class Exit extends Error {}

/** Runs command lines as they come, each as if it were a process of its own, and says how it ended. */
async function commands(): Promise<void> {
  const { commandLine } = await import('#api/cli.ts');

  async function run({ environment, words, end }: HostedCommand): Promise<void> {
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, environment);
    process.exitCode = 0;
    try {
      await (await commandLine(words)).parseAsync(words, { from: 'user' });
    } catch (error) {
      if (!(error instanceof Exit)) {
        process.exitCode = 1;
        process.stderr.write(`${format(error)}\n`);
      }
    }
    const code = Number(process.exitCode ?? 0);
    // What listens to a process's end is done with it: loggers write out what waits, Postgres has its janitor.
    process.emit('exit', code);
    for (const event of ['SIGINT', 'SIGTERM', 'exit']) process.removeAllListeners(event);
    for (const stream of [process.stdout, process.stderr])
      await new Promise<void>((resolve) => stream.write(end, () => resolve()));
    process.send?.(code);
  }

  const leave = process.exit.bind(process);
  process.exit = ((code?: number) => {
    process.exitCode = code ?? process.exitCode ?? 0;
    throw new Exit('The command ends here.');
  }) as typeof process.exit;

  process.on('disconnect', () => leave(0));
  process.on('message', (command: HostedCommand) => void run(command));
}

const hosts: Readonly<Record<Hosted, () => Promise<void>>> = { product, commands };
await hosts[process.argv[2] as Hosted]();

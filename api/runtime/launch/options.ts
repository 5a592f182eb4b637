export type StartOptions = Readonly<{ json: boolean; help: boolean; environment: Record<string, string> }>;

export const usage = `Usage: bun run start [--json] [--port <number>] [--role all|api|worker]

  --json   print one line {"url","publicForm","demo"} once ready, for scripts
  --port   the port to listen on (PORT, default 4321)
  --role   what this process does (ROLE, default all)`;

const variables: Record<string, string> = { '--port': 'PORT', '--role': 'ROLE' };

/**
 * Reads the command line of `start`; what sets a variable of the environment comes back in `environment`.
 * @throws Error with one line for an option that we do not know or that lacks its value
 */
export function readOptions(args: readonly string[]): StartOptions {
  const options = { json: false, help: false, environment: {} as Record<string, string> };
  const left = args.flatMap((arg) =>
    /^--\w+=/.test(arg) ? [arg.slice(0, arg.indexOf('=')), arg.slice(arg.indexOf('=') + 1)] : [arg],
  );
  for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
    const variable = variables[arg];
    if (arg === '--json') options.json = true;
    else if (arg === '--help' || arg === '-h') options.help = true;
    else if (variable === undefined) throw new Error(`Unknown option ${arg}. See --help.`);
    else {
      const value = left.shift();
      if (!value) throw new Error(`${arg} needs a value. See --help.`);
      options.environment[variable] = value;
    }
  }
  return options;
}

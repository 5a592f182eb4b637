import type { Running } from './main.ts';
import { ensureSite } from './runtime/launch/build.ts';
import { readOptions, type StartOptions, usage } from './runtime/launch/options.ts';
import { stopOnSignal } from './runtime/launch/signals.ts';

const oldestBun = '1.4.4';

const interrupted = new AbortController();
let running: Promise<Running> | undefined;

stopOnSignal(async () => {
  interrupted.abort();
  await running?.then(
    ({ stop }) => stop(),
    () => {},
  );
});

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) console.log(usage);
  else await start(options);
} catch (error) {
  if (!interrupted.signal.aborted) refuse(error as Error);
}

async function start(options: StartOptions): Promise<void> {
  if (Bun.semver.order(Bun.version, oldestBun) < 0)
    throw new Error(
      `this is Bun ${Bun.version}, and Ute needs ${oldestBun} or later: npx --yes bun@${oldestBun} run start`,
    );
  const environment = { ...process.env, ...options.environment };
  await import('#core/kernel/schema-settings.ts');
  // Before the site is built: an Ute that runs from this folder would lose the pages that it has not read yet.
  const { configure } = await import('./runtime/environment.ts');
  const { assertPortIsFree } = await import('./runtime/listen.ts');
  assertPortIsFree(configure(environment));
  await ensureSite(interrupted.signal);
  const { startUte } = await import('#api/main.ts');
  running = startUte(environment);
  const { stop: _, ...announced } = await running;
  const { url, publicForm, demo } = announced;
  console.log(options.json ? JSON.stringify({ url, publicForm, demo }) : welcome(announced));
}

/** In one line; what is wrong with the environment, in one for each variable. */
function refuse({ name, message }: Error): never {
  const lines = message.trim().split('\n');
  for (const line of name === 'ConfigError' ? lines : lines.slice(0, 1))
    console.error(`Ute did not start: ${line}`);
  process.exit(1);
}

function welcome({ url, isReady, publicForm, demo, outbox }: Omit<Running, 'stop'>): string {
  return [
    isReady ? 'Ute is ready.' : 'Ute is up and waits for its database, which does not answer yet.',
    '',
    `  Your jobs    ${url}`,
    ...(demo ? [`  Sign in      ${demo.email}  ${demo.password}`] : []),
    ...(publicForm ? [`  Public form  ${publicForm}`] : []),
    ...(demo ? [`  Mail, SMS    ${outbox}`] : []),
    '',
    'Ctrl-C stops it.',
  ].join('\n');
}

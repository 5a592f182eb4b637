import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { ConfigError } from '#api/runtime/config/config.ts';
import { readWithSecretFiles } from '#api/runtime/environment.ts';
import { restrictAccess } from '#core/event-store/eventstoredb/administration.ts';
import { readConnectionString } from '#core/event-store/eventstoredb/connection-string.ts';
import { projections } from '#projections/registry.ts';
import { acceptRestored } from '#projections/runtime/rebuild/rebuild.ts';
import { createProgress } from './report.ts';
import { type System, withSystem } from './system.ts';
import { print, printError } from './terminal.ts';

export function addLogCommand(program: Command): void {
  const log = program.command('log').description('The log of events that this installation belongs to.');

  log
    .command('status')
    .description(
      'Which log it is, where it ends, and whether it has all that was read of it. Else exit code 1.',
    )
    .action(() => withSystem(showStatus, undefined, { anyLog: true }));

  log
    .command('accept-restored')
    .description(
      'Takes a log that was restored from a copy for the installation’s own: read models that had read more are built anew, what acts on it (the outbox among others) reads it from its start. Nothing is sent twice.',
    )
    .action(() => withSystem(accept, () => 'the same command again goes on.', { anyLog: true }));
}

async function showStatus({ eventLog: { origin, unverified } }: System): Promise<boolean> {
  const noted = await origin.noted();
  await origin.verify({ restoredToo: true });
  const [lost, head] = [await origin.lost(), await unverified.head()];
  print([
    noted ? `${noted.kind}, begins with event ${noted.firstEvent}` : 'no identity noted before',
    `ends at position ${head}`,
    ...lost.map(
      ({ name, position }) => `${name} had read up to position ${position}, which is not in the log`,
    ),
  ]);
  return lost.length === 0;
}

async function accept(system: System, signal: AbortSignal): Promise<boolean> {
  const { origin, unverified: store } = system.eventLog;
  await origin.verify({ restoredToo: true });
  const show = createProgress(process.stderr);
  const head = Number(await store.head());
  const accepted = await acceptRestored(
    { ...system, store },
    origin,
    { projections, processes: system.processes },
    {
      signal,
      onProgress(position, step) {
        if (step === 'reading') show('read models', Number(position), head);
      },
    },
  );
  print([
    ...accepted.takenBack.map((name) => `${name}: reads the log from its start`),
    ...accepted.rebuilt.map((name) => `${name}: rebuilt`),
    ...(accepted.takenBack.length + accepted.rebuilt.length === 0
      ? ['nothing to do: the log has all that was read of it']
      : []),
  ]);
  return true;
}

type Credentials = Readonly<{ username: string; password: string }>;

export function addEventStoreCommand(program: Command): void {
  program
    .command('event-store')
    .description('An EventStoreDB.')
    .command('secure')
    .description(
      'By EVENTSTORE_ADMIN_URL: makes the user of EVENTSTORE_URL, in no group, and lets only administrators delete or truncate streams. Needs no other variable; the same again changes nothing but the password.',
    )
    .action(async () => {
      try {
        const environment = readWithSecretFiles(process.env);
        const admin = readAddress('EVENTSTORE_ADMIN_URL', environment.EVENTSTORE_ADMIN_URL);
        const user = readAddress('EVENTSTORE_URL', environment.EVENTSTORE_URL);
        if (user.credentials.username === admin.credentials.username)
          throw new ConfigError(
            'Configuration: EVENTSTORE_URL must name another user than the administrator.',
          );
        await ensureUser(admin.url, admin.credentials, user.credentials);
        await restrictAccess(admin.url, user.credentials.username);
        print([`${user.credentials.username} may read and append; only administrators delete and truncate`]);
      } catch (error) {
        printError(error instanceof Error ? error.message : String(error));
        process.exitCode = 1;
      }
    });
}

function readAddress(name: string, given = ''): { url: string; credentials: Credentials } {
  try {
    const { credentials } = readConnectionString(given);
    if (credentials) return { url: given, credentials };
  } catch {
    // Said below: what the reader says repeats nothing of it, but does not name the variable either.
  }
  throw new ConfigError(`Configuration: ${name} must be an address such as esdb://user:password@host:2113.`);
}

/** Users are managed by the HTTP side of the same port; nothing else of ours speaks it. */
async function ensureUser(adminUrl: string, admin: Credentials, user: Credentials): Promise<void> {
  const { hosts, options } = readConnectionString(adminUrl);
  const authority = options['tlsCAFile'];
  const server = `${options['tls'] === 'false' ? 'http' : 'https'}://${hosts[0]}`;
  const ca = authority === undefined ? undefined : readAuthority(authority);
  const send = (method: string, path: string, body: object) =>
    fetch(`${server}/users/${path}`, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`${admin.username}:${admin.password}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
      ...(ca === undefined ? {} : { tls: { ca } }),
    }).catch((error: Error & { code?: string }) => {
      throw new Error(
        `No event store answers at ${server} (${error.code ?? error.name}): see EVENTSTORE_ADMIN_URL.`,
      );
    });
  const { username, password } = user;
  const described = { fullName: 'Ute', groups: [] };
  const made = await send('POST', '', { loginName: username, ...described, password });
  if (made.status === 201) return;
  if (made.status !== 409) throw refused(made);
  const path = encodeURIComponent(username);
  for (const changed of [
    await send('PUT', path, described),
    await send('POST', `${path}/command/reset-password`, { newPassword: password }),
  ])
    if (!changed.ok) throw refused(changed);
}

function readAuthority(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`Configuration: the tlsCAFile of EVENTSTORE_ADMIN_URL cannot be read (${code}).`);
  }
}

function refused({ status }: Response): Error {
  return new Error(
    `The event store refuses to make its user (${status}): is EVENTSTORE_ADMIN_URL an administrator's?`,
  );
}

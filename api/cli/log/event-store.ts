import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { print } from '#api/cli/system.ts';
import { ConfigError } from '#api/runtime/config/config.ts';
import { readWithSecretFiles } from '#api/runtime/environment.ts';
import { readConnectionString } from '#core/event-store/eventstoredb/connection-string.ts';
import { restrictAccess } from '#core/event-store/eventstoredb/restrict-access.ts';

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
        console.error(error instanceof Error ? error.message : String(error));
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
  const { connectionString } = readConnectionString(adminUrl);
  const [, host = '', query = ''] = /:\/\/([^,/?]+)[^?]*\?(.*)$/.exec(connectionString) ?? [];
  const options = new URLSearchParams(query);
  const isPlain = options.get('tls') === 'false';
  const authority = options.get('tlsCAFile');
  const port = host.includes(':') ? '' : ':2113';
  const users = `${isPlain ? 'http' : 'https'}://${host}${port}/users/`;
  const send = (method: string, path: string, body: object) =>
    fetch(`${users}${path}`, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`${admin.username}:${admin.password}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
      ...(authority === null ? {} : { tls: { ca: readFileSync(authority) } }),
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

function refused({ status }: Response): Error {
  return new Error(
    `The event store refuses to make its user (${status}): is EVENTSTORE_ADMIN_URL an administrator's?`,
  );
}

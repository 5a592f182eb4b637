import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { restrictAccess } from '#core/event-store/eventstoredb/administration.ts';
import { runUte } from '#tests/support/processes/processes.ts';
import { startStandIn } from '#tests/support/servers/eventstoredb/stand-in.ts';

const certificate = (name: string) =>
  new URL(`../support/servers/eventstoredb/certificates/${name}`, import.meta.url).pathname;
const tls = {
  certificate: readFileSync(certificate('node.crt')),
  key: readFileSync(certificate('node.key')),
};
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0).toReversed()) close();
});

/** The HTTP side of an EventStoreDB: its users alone. */
function usersServer(existing: string[]) {
  const calls: { call: string; authorization: string; body: unknown }[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: 'localhost',
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const call = `${request.method} ${pathname}`;
      const body = (await request.json()) as { loginName?: string };
      calls.push({ call, authorization: atob(request.headers.get('authorization')?.slice(6) ?? ''), body });
      if (!calls.at(-1)?.authorization.startsWith('admin:')) return new Response(null, { status: 401 });
      if (call !== 'POST /users/') return new Response(null, { status: 200 });
      return new Response(null, { status: existing.includes(body.loginName ?? '') ? 409 : 201 });
    },
  });
  closing.push(() => void server.stop(true));
  return { calls, host: `localhost:${server.port}` };
}

test('only administrators delete and truncate; the user reads all and appends, and it is set once', async () => {
  const server = await startStandIn({ tls, users: { admin: 'secret' } });
  closing.push(() => server.kill());
  const url = `esdb://admin:secret@localhost:${server.port}?tls=true&tlsCAFile=${certificate('ca.crt')}`;
  await restrictAccess(url, 'ute');
  // By its address as well as by its name.
  await restrictAccess(url.replace('localhost', '127.0.0.1'), 'ute');
  const written = ['$settings', '$$$all'].flatMap((stream) =>
    server.log.stream(stream).map(({ type, data }) => ({
      ...{ stream, type, data: JSON.parse(Buffer.from(data).toString()) },
    })),
  );
  const both = ['$admins', 'ute'];
  const admins = { $r: '$admins', $w: '$admins', $d: '$admins', $mr: '$admins', $mw: '$admins' };
  expect(written).toEqual([
    {
      stream: '$settings',
      type: 'update-default-acl',
      data: {
        $userStreamAcl: { $r: both, $w: both, $d: '$admins', $mr: both, $mw: '$admins' },
        $systemStreamAcl: admins,
      },
    },
    { stream: '$$$all', type: '$metadata', data: { $acl: { ...admins, $r: both } } },
  ]);
});

const secure = (admin: string, user: string) =>
  runUte({ EVENTSTORE_ADMIN_URL: admin, EVENTSTORE_URL: user }, 'event-store', 'secure');

test.each([
  ['made in no group', [], ['POST /users/']],
  [
    'taken out of its groups where it is there already, and given the password of the address',
    ['ute'],
    ['POST /users/', 'PUT /users/ute', 'POST /users/ute/command/reset-password'],
  ],
])(
  'the user is %s',
  async (_, existing, expected) => {
    const { calls, host } = usersServer(existing);
    // The streams are not served here: the command ends there, and the user has been seen to.
    const { code } = await secure(
      `esdb://admin:secret@${host}?tls=false`,
      `esdb://ute:own@${host}?tls=false`,
    );
    expect(code).toBe(1);
    expect(calls.map(({ call }) => call)).toEqual(expected);
    expect(calls.every(({ authorization }) => authorization === 'admin:secret')).toBe(true);
    expect(calls[0]?.body).toEqual({ loginName: 'ute', fullName: 'Ute', groups: [], password: 'own' });
    if (calls.length > 1) {
      expect(calls[1]?.body).toEqual({ fullName: 'Ute', groups: [] });
      expect(calls[2]?.body).toEqual({ newPassword: 'own' });
    }
  },
  60_000,
);

test.each([
  ['', 'esdb://ute:own@localhost:1', 'Configuration: EVENTSTORE_ADMIN_URL must be an address'],
  [
    'esdb://admin:secret@localhost:1',
    'esdb://localhost:1',
    'Configuration: EVENTSTORE_URL must be an address',
  ],
  [
    'esdb://admin:secret@localhost:1',
    'esdb://admin:secret@localhost:1',
    'another user than the administrator',
  ],
  [
    'esdb://admin:secret@localhost:1?tls=false',
    'esdb://ute:own@localhost:1?tls=false',
    'No event store answers at http://localhost:1 (ECONNREFUSED): see EVENTSTORE_ADMIN_URL.',
  ],
  [
    'esdb://admin:secret@localhost:1?tls=true&tlsCAFile=/nowhere/ca.crt',
    'esdb://ute:own@localhost:1?tls=false',
    'the tlsCAFile of EVENTSTORE_ADMIN_URL cannot be read (ENOENT)',
  ],
])(
  'addresses that will not do, or that nothing answers at, are told in a line: %s, %s',
  async (admin, user, line) => {
    const { code, err } = await secure(admin, user);
    expect(code).toBe(1);
    expect(err).toContain(line);
    expect(err).not.toContain('secret@');
  },
);

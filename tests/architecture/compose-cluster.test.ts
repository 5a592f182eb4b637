import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConnectionString } from '#core/event-store/eventstoredb/connection-string.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';

type Service = Readonly<{
  environment?: Record<string, string | number>;
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  command?: string[];
  ports?: string[];
}>;
type Composition = Readonly<{
  services: Record<string, Service>;
  volumes: Record<string, object>;
  configs?: Record<string, { file: string }>;
}>;

const read = (file: string) => readFileSync(file, 'utf8');
const [single, over] = ['compose.yaml', 'compose.cluster.yaml'].map(
  (file) => Bun.YAML.parse(read(file)) as Composition,
) as [Composition, Composition];
const NODES = ['eventstore', 'eventstore-2', 'eventstore-3'];
const APIS = ['ute', 'ute-2'];
const WORKERS = ['worker-1', 'worker-2'];
const WORKER_SECRETS = ':/secrets-worker:ro';

/** As `docker compose -f … -f …` puts a service together: maps by key, lists of volumes one after the other. */
function merged(name: string): Service {
  const [below = {}, above = {}] = [single.services[name], over.services[name]];
  return {
    ...below,
    ...above,
    environment: { ...below.environment, ...above.environment },
    depends_on: { ...below.depends_on, ...above.depends_on },
    volumes: [...(below.volumes ?? []), ...(above.volumes ?? [])],
  };
}

/** Without what is meant to differ between members of one kind. */
function comparable(name: string, differing: readonly string[]) {
  const { environment = {}, volumes = [], ...rest } = merged(name);
  const alike = Object.entries(environment).filter(([variable]) => !differing.includes(variable));
  return {
    ...rest,
    environment: Object.fromEntries(alike),
    volumes: volumes
      .filter((volume) => !volume.includes(WORKER_SECRETS))
      .map((volume) => volume.replace(/(eventstore)(-\d)?/, '$1')),
  };
}

test('three nodes are alike but for their names, and each seeds from the two others', () => {
  const own = ['NODE_HOST_ADVERTISE_AS', 'REPLICATION_HOST_ADVERTISE_AS', 'GOSSIP_SEED'].map(
    (name) => `EVENTSTORE_${name}`,
  );
  for (const node of NODES) {
    const { environment = {}, volumes } = merged(node);
    expect(own.map((name) => environment[name])).toEqual([
      ...[node, node],
      NODES.filter((other) => other !== node)
        .map((other) => `${other}:2113`)
        .join(','),
    ]);
    expect(environment['EVENTSTORE_CLUSTER_SIZE']).toBe(NODES.length);
    expect(volumes).toContain(`secrets-${node}:/secrets:ro`);
    expect(comparable(node, own)).toEqual(comparable('eventstore', own));
  }
});

test('two processes serve and two work, each as the one of a single machine', () => {
  for (const [role, names] of [
    ['api', APIS],
    ['worker', WORKERS],
  ] as const) {
    for (const name of names) {
      expect(merged(name).environment?.['ROLE']).toBe(role);
      const own = ['ROLE', 'LOG_KEY_FILE'];
      expect(comparable(name, own)).toEqual(comparable('ute', own));
    }
  }
});

test('the key that signs checkpoints is with the workers alone', () => {
  const mountOf = (name: string) =>
    merged(name).volumes?.findLast((volume) => volume.includes(WORKER_SECRETS));
  for (const name of WORKERS) {
    expect(merged(name).environment?.['LOG_KEY_FILE']).toBe('/secrets-worker/log-key');
    expect(mountOf(name)).toBe(`secrets-worker${WORKER_SECRETS}`);
  }
  for (const name of APIS) {
    expect(merged(name).environment?.['LOG_KEY_FILE']).toBe('');
    expect(mountOf(name)).toBe(`no-secrets${WORKER_SECRETS}`);
  }
});

test('the proxy balances the processes that serve, and nothing else is reached from outside', () => {
  expect(merged('proxy').environment?.['UPSTREAMS']).toBe(APIS.map((name) => `${name}:4321`).join(' '));
  const names = [...new Set([...Object.keys(single.services), ...Object.keys(over.services)])];
  expect(names.filter((name) => merged(name).ports !== undefined)).toEqual(['proxy']);
  expect(Object.keys(merged('eventstore-access').depends_on ?? {}).toSorted()).toEqual(NODES);
  const named = Object.values(over.services).flatMap(({ volumes = [] }) =>
    volumes.map((one) => one.split(':')[0]),
  );
  const declared = { ...single.volumes, ...over.volumes };
  expect(named.filter((name) => !Object.hasOwn(declared, name ?? ''))).toEqual([]);
});

test('Postgres has room for the connections of all processes, and writes no row that it refuses into its log', () => {
  for (const { command } of [single.services['postgres'], merged('postgres')].map((one) => one ?? {}))
    expect(command).toContain('log_error_verbosity=terse');
  const [, given = ''] = /max_connections=(\d+)/.exec(merged('postgres').command?.join(' ') ?? '') ?? [];
  const [, each = ''] =
    /allow (\d+) for each in `max_connections`/.exec(read('api/operate/processes.md')) ?? [];
  expect(Number(each)).toBeGreaterThan(0);
  expect(Number(given)).toBeGreaterThan(Number(each) * (APIS.length + WORKERS.length));
});

test.runIf(Bun.which('openssl')).each([[['eventstore']], [NODES]])(
  'the first start makes secrets for %j, and the next changes none',
  (nodes) => {
    const folder = tempFolder('secrets');
    const script = (single.services['setup']?.command?.[0] ?? '')
      .replaceAll('$$', '$')
      .replace('cd /secrets', `cd '${folder.path}'`)
      // Only a container's root may.
      .replaceAll(/^(\s*)chown /gm, '$1: ');
    for (const volume of merged('setup').volumes ?? []) {
      mkdirSync(join(folder.path, volume.split(':/secrets/')[1] ?? ''), { recursive: true });
    }
    const run = () => {
      const env = { ...process.env, NODES: nodes.join(' ') };
      const { exitCode, stderr } = Bun.spawnSync(['sh', '-euc', script], { env });
      expect(exitCode, stderr.toString()).toBe(0);
    };
    const secret = (file: string) => read(join(folder.path, file));
    run();
    const before = nodes.map((node) => secret(`${node}/node.crt`));
    for (const node of nodes) {
      const { exitCode, stdout } = Bun.spawnSync([
        ...['openssl', 'verify', '-CAfile', join(folder.path, node, 'ca/ca.crt'), '-verify_hostname', node],
        join(folder.path, node, 'node.crt'),
      ]);
      expect(exitCode, stdout.toString()).toBe(0);
      expect(secret(`${node}/admin-password`)).toBe(secret('eventstore/admin-password'));
      expect(secret(`${node}/ca/ca.crt`)).toBe(secret('ute/ca.crt'));
    }
    const { hosts, options, credentials } = readConnectionString(secret('ute/event-log-url'));
    expect(hosts).toEqual(nodes.map((node) => `${node}:2113`));
    expect(options).toMatchObject({ tls: 'true', tlsCAFile: '/secrets/ca.crt' });
    expect(credentials?.username).toBe('ute');
    expect(readConnectionString(secret('eventstore-access/admin-url')).hosts).toEqual(hosts);
    run();
    expect(nodes.map((node) => secret(`${node}/node.crt`))).toEqual(before);
    folder.remove();
  },
  60_000,
);

const hasCompose = Bun.which('docker') !== null && Bun.spawnSync(['docker', 'compose', 'version']).success;

test.runIf(hasCompose).each([[['compose.yaml']], [['compose.yaml', 'compose.cluster.yaml']]])(
  'docker compose reads %j',
  (files) => {
    const env = { ...process.env, PUBLIC_ORIGIN: 'https://jobs.example.com', ALLOW_EMBEDDED: 'mail,sms' };
    const command = ['docker', 'compose', ...files.flatMap((file) => ['-f', file]), 'config', '--quiet'];
    const { exitCode, stderr } = Bun.spawnSync(command, { env });
    expect(exitCode, stderr.toString()).toBe(0);
  },
);

test('the Caddyfile speaks HTTP/2 and HTTP/3, asks who is ready, and leaves no process out when none is', () => {
  const caddyfile = read('api/operate/Caddyfile');
  // Every block is closed, and what is in it is indented by its depth.
  let depth = 0;
  for (const line of caddyfile
    .split('\n')
    .filter((one) => one.trim() !== '' && !one.trim().startsWith('#'))) {
    if (/^\s*\}$/.test(line)) depth -= 1;
    expect(/^\t*/.exec(line)?.[0].length, line).toBe(depth);
    if (/(^|\s)\{$/.test(line)) depth += 1;
  }
  expect(depth).toBe(0);
  expect(caddyfile).toMatch(/^\t\tprotocols h1 h2 h3$/m);
  expect(caddyfile).toMatch(/^\{\$PUBLIC_ORIGIN\} \{$/m);
  expect(caddyfile).toMatch(/^\t\thealth_uri \/api\/health\/ready$/m);
  expect(caddyfile.match(/reverse_proxy (@none )?\{\$UPSTREAMS\}/g)).toHaveLength(2);
  // Otherwise a client could write the address that limits count.
  expect(caddyfile).not.toMatch(/trusted_proxies|header_up/);
  const used = [...caddyfile.matchAll(/\{\$(\w+)\}/g)].map(([, name]) => name);
  expect(Object.keys(merged('proxy').environment ?? {}).toSorted()).toEqual([...new Set(used)].toSorted());
});

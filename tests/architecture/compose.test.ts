import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readConfig } from '#api/runtime/config/config.ts';
import { readConnectionString } from '#core/event-store/eventstoredb/connection-string.ts';

type Service = Readonly<{
  image?: string;
  build?: '.' | { dockerfile_inline: string };
  command?: string[];
  environment?: Record<string, string | number>;
  healthcheck?: { test: string[] };
  restart?: string;
  logging?: { driver: string };
  volumes: string[];
  configs?: { source: string; target: string }[];
  ports?: string[];
  networks?: string[];
  depends_on?: Record<string, { condition: string }>;
}>;

const read = (file: string) => readFileSync(file, 'utf8');
const text = read('compose.yaml');
const compose = Bun.YAML.parse(text) as {
  services: Record<'setup' | 'eventstore' | 'postgres' | 'logins' | 'migrate' | 'ute' | 'proxy', Service>;
  volumes: Record<string, object>;
  configs: Record<'roles' | 'caddyfile', { file: string }>;
};
const { setup, eventstore, postgres, logins, migrate, ute, proxy } = compose.services;
const lasting = { eventstore, postgres, ute, proxy };
/** As the shell reads it, for one node, with these secrets. */
const setupScript = (secret: () => string) =>
  scriptOf(setup)
    .replaceAll(/\$\(cat [^)]*\)/g, secret)
    .replaceAll('$hosts', 'eventstore:2113')
    .replaceAll('$tls', /tls="(.*)"/.exec(scriptOf(setup))?.[1] ?? '');
const scriptOf = ({ command }: Service) => (command?.[0] ?? '').replaceAll('$$', '$');

test('every image has a version', () => {
  const images = Object.values(compose.services).map(
    ({ image, build }) =>
      image ??
      /^FROM (\S+)/m.exec(build === '.' ? read('Dockerfile') : (build?.dockerfile_inline ?? ''))?.[1],
  );
  for (const image of images) expect(image).toMatch(/:\d+[\w.-]*$/);
  const { engines } = JSON.parse(read('package.json'));
  expect(images).toContain(`oven/bun:${engines.bun.replace(/^\D+/, '')}-slim`);
});

test('the image has what it names, and nothing that was typed or installed on the machine that builds it', () => {
  const copied = [...read('Dockerfile').matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, names = '']) =>
    names.split(' '),
  );
  expect(copied).toContain('migrations');
  expect(copied.filter((name) => !existsSync(name))).toEqual([]);
  expect(read('.dockerignore').split('\n')).toEqual(
    expect.arrayContaining(['**/node_modules', '.data', '.env', '.git', 'dist']),
  );
});

test('what lasts is watched, started again, stored in a volume that is declared, and fills no disk with its log', () => {
  for (const { healthcheck, restart, volumes, logging } of Object.values(lasting)) {
    expect(healthcheck?.test[0]).toBe('CMD');
    expect(logging?.driver).toBe('local');
    expect(restart).toBe('unless-stopped');
    expect(volumes.some((volume) => !volume.startsWith('secrets-'))).toBe(true);
  }
  const named = Object.values(compose.services).flatMap(({ volumes }) =>
    volumes.map((volume) => volume.split(':')[0]),
  );
  expect(new Set(named)).toEqual(new Set(Object.keys(compose.volumes)));
});

test('no secret stands in the file, and nothing falls back to one', () => {
  for (const { environment = {} } of Object.values(compose.services)) {
    const secrets = Object.entries(environment).filter(([name]) => /PASSWORD|_KEY|TOKEN|_URL/.test(name));
    for (const [name, value] of secrets) {
      expect(name).toMatch(/_FILE$/);
      expect(value).toMatch(/^\/secrets(-worker)?\//);
    }
  }
  expect(text).not.toMatch(/changeit|INSECURE|TRUST_AUTH|tls=false/);
  expect(text).not.toMatch(/\$\{\w+:-/);
});

test('each reads its own secrets alone, and may not write them', () => {
  for (const [name, { volumes }] of Object.entries({ eventstore, postgres, ute })) {
    expect(volumes.filter((volume) => volume.startsWith('secrets-'))).toEqual([
      `secrets-${name}:/secrets:ro`,
      // The key that signs checkpoints, which a process that answers requests alone does not get.
      ...(name === 'ute' ? ['secrets-worker:/secrets-worker:ro'] : []),
    ]);
  }
  expect(proxy.volumes.filter((volume) => volume.startsWith('secrets-'))).toEqual([]);
  const wanted = Object.values(ute.environment ?? {}).filter((value) =>
    /^\/secrets(-worker)?\//.test(String(value)),
  );
  for (const file of wanted)
    expect(scriptOf(setup)).toContain(String(file).replace(/^\/secrets(-worker)?\//, ''));
});

test('the product is given the login of the application, and only the migrations that of the owner', () => {
  const script = scriptOf(setup);
  expect(script).toContain(
    'keep ute/application-database-url echo "postgres://ute_app:$(cat logins/app-password)@',
  );
  expect(script).toContain(
    'keep migrate/database-url echo "postgres://ute_owner:$(cat logins/owner-password)@',
  );
  expect(migrate.volumes).toEqual(['secrets-migrate:/secrets:ro']);
  expect(ute.environment).not.toHaveProperty('MIGRATION_DATABASE_URL_FILE');
  expect(ute.depends_on?.migrate).toEqual({ condition: 'service_completed_successfully' });
  expect(migrate.depends_on).toEqual({ logins: { condition: 'service_completed_successfully' } });
  const { file } = compose.configs.roles;
  expect(logins.configs).toEqual([{ source: 'roles', target: '/roles.sql' }]);
  expect(read(file)).toContain('ute_owner');
});

test('only the proxy is reached from outside, and it reaches no store', () => {
  const open = Object.entries(compose.services).filter(([, { ports }]) => ports !== undefined);
  expect(open).toEqual([['proxy', proxy]]);
  expect(proxy.ports).toEqual(['80:80', '443:443', '443:443/udp']);
  expect(proxy.networks).toEqual(['edge']);
  expect(proxy.configs).toEqual([{ source: 'caddyfile', target: '/etc/caddy/Caddyfile' }]);
  expect(compose.configs.caddyfile).toEqual({ file: './api/operate/Caddyfile' });
});

test('Ute believes one proxy, and the proxy is asked for the address that Ute gives out', () => {
  expect(ute.environment?.['TRUSTED_PROXIES']).toBe(1);
  expect(proxy.environment?.['PUBLIC_ORIGIN']).toBe(ute.environment?.['PUBLIC_ORIGIN']);
  expect(proxy.environment?.['UPSTREAMS']).toBe(`ute:${ute.environment?.['PORT']}`);
});

test('Ute understands its environment', () => {
  const guide = read('api/operate/settings.md');
  for (const name of Object.keys(ute.environment ?? {})) {
    expect(guide).toContain(`\`${name.replace(/_FILE$/, '')}\``);
  }
  const url = /esdb:[^"\s]+/.exec(setupScript(() => 'secret'))?.[0] ?? '';
  expect(readConnectionString(url).credentials).toEqual({ username: 'ute', password: 'secret' });
  expect(url).toContain('tls=true');
});

test('the environment of Ute passes the rules of production, once the operator has set what only they know', () => {
  const said: Record<string, string> = {
    PUBLIC_ORIGIN: 'https://jobs.example.com',
    ALLOW_EMBEDDED: 'mail,sms,business-register',
  };
  // Asked for, and it may be empty: who has set all three accepts none.
  expect(ute.environment?.['ALLOW_EMBEDDED']).toMatch(/^\$\{ALLOW_EMBEDDED\?/);
  const random = () => randomBytes(32).toString('hex');
  const script = setupScript(random).replaceAll('$reader', 'ute');
  const secretOf = (file: string) => {
    const kept = new RegExp(`${file}"? echo "([^"]+)"`).exec(script)?.[1];
    return kept ?? new RegExp(`echo "([^"]+)" > "?${file}`).exec(script)?.[1] ?? random();
  };
  const told = Object.entries(ute.environment ?? {}).map(([name, value]) => {
    const text = String(value).replaceAll(/\$\{(\w+):?\?[^}]*\}/g, (_, asked: string) => said[asked] ?? '');
    const file = /^\/secrets(?:-worker)?\/(.*)$/.exec(text)?.[1];
    return file ? [name.replace(/_FILE$/, ''), secretOf(`ute/${file}`)] : [name, text];
  });
  const config = readConfig(Object.fromEntries(told));
  expect(config).toMatchObject({ environment: 'production', trustedProxies: 1 });
  expect([config.databaseUrl, config.eventStoreUrl]).toEqual([
    expect.stringMatching(/^postgres:.*[0-9a-f]{64}@/),
    expect.stringMatching(/^esdb:.*[0-9a-f]{64}@/),
  ]);
});

test.each(['setup', 'eventstore', 'logins'] as const)(
  'the script of %s is one that a shell can read',
  (name) => {
    const { exitCode, stderr } = Bun.spawnSync(['sh', '-n', '-c', scriptOf(compose.services[name])]);
    expect(stderr.toString()).toBe('');
    expect(exitCode).toBe(0);
  },
);

test('the event store is of the line that is tested, and is handed no option that it does not know', () => {
  expect(eventstore.image).toMatch(/^eventstore\/eventstore:23\.10\.\d+-/);
  const given = Object.keys(eventstore.environment ?? {});
  expect(given.filter((name) => /URL/.test(name))).toEqual([]);
});

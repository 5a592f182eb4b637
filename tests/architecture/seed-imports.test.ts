import { expect, test } from 'vitest';
import { codeFiles, importsOf } from './source-files.ts';

/** What each file of the product loads as it starts, read once for all that lead to it. */
const loads = new Map(
  codeFiles
    .filter((file) => /^(core|api|projections|migrations)\/.*\.ts$/.test(file))
    .map((file) => [
      file,
      importsOf(file).flatMap(({ target, kind }) => (kind === 'dynamic-import' ? [] : [target])),
    ]),
);

/** Every file and package that a file loads as it starts. What is imported in a function comes later, or never. */
function loadedBy(start: string): Set<string> {
  const loaded = new Set<string>();
  const open = [start];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (loaded.has(file)) continue;
    loaded.add(file);
    open.push(...(loads.get(file) ?? []));
  }
  return loaded;
}

test('inventing people in bulk is loaded by `ute seed` alone', () => {
  const faker = /^@faker-js\//;
  const inventing = [...loadedBy('api/seed/volume/seed-volume.ts')].filter((name) => faker.test(name));
  expect(inventing).toHaveLength(1);
});

const commands = new Set(
  importsOf('api/cli.ts').flatMap(({ target, kind }) =>
    kind === 'dynamic-import' && target.startsWith('api/') ? [target] : [],
  ),
);

test('the command line loads no command but the one that it runs', () => {
  expect(commands.size).toBeGreaterThan(15);
  expect([...loadedBy('api/cli.ts')]).toEqual(['api/cli.ts', 'commander']);
});

test.each(['api/main.ts', ...commands])('%s loads none of it', (start) => {
  const loaded = [...loadedBy(start)];
  expect(loaded.length).toBeGreaterThan(start === 'api/main.ts' ? 100 : 5);
  expect(loaded.filter((name) => /^(@faker-js|api\/seed\/volume)\//.test(name))).toEqual([]);
});

test('the client of EventStoreDB is loaded by what administers such a server, and else where one is named alone', () => {
  const loading = ['api/main.ts', ...commands].filter((start) =>
    [...loadedBy(start)].some((name) => name.startsWith('@eventstore/')),
  );
  expect(loading).toEqual(['api/cli/log.ts']);
});

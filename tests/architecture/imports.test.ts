import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { rooms } from './import-table.ts';
import { codeFiles, type Import, importsOf, isTest } from './source-files.ts';

const imports = codeFiles.flatMap(importsOf);
const show = ({ from, specifier }: Import) => `${from} imports ${specifier}`;

describe('who may import whom', () => {
  const byRoom = Map.groupBy(
    codeFiles.filter((file) => !isTest(file)),
    (file) => rooms.find((room) => room.files.test(file)),
  );
  test.each(rooms)('$name', (room) => {
    const found = (byRoom.get(room) ?? []).flatMap(importsOf);
    expect(found.filter(({ target }) => !room.may.some((allowed) => allowed.test(target))).map(show)).toEqual(
      [],
    );
  });
});

test('no source file imports tests', () => {
  const allowed = (file: string) => isTest(file) || file.endsWith('.config.ts');
  expect(
    imports.filter(({ from, target }) => target.startsWith('tests/') && !allowed(from)).map(show),
  ).toEqual([]);
});

test('paths that leave a room start with #, the others stay inside it', () => {
  const room = (path: string) => path.split('/')[0];
  const isConfig = (file: string) => file.endsWith('.config.ts');
  const leaves = ({ from, target, specifier }: Import) =>
    !isConfig(from) && specifier.startsWith('.') && room(from) !== room(target);
  expect(imports.filter(leaves).map(show)).toEqual([]);
});

test('sessions with Postgres are those that set what they rely on', () => {
  const own = /\bnew (?:pg\.)?(?:Client|Pool)\(|\bextends (?:Client|Pool)\b|\bnew (?:Bun\.)?SQL\(/;
  const opening = codeFiles.filter(
    (file) => importsOf(file).some(({ target }) => target === 'pg') && own.test(readFileSync(file, 'utf8')),
  );
  expect(opening).toEqual(['core/postgres/session.ts']);
});

test('extensions are written out', () => {
  const own = imports.filter(({ specifier }) => /^[.#]/.test(specifier));
  expect(own.filter(({ specifier }) => !/\.\w+(\?[\w&]+)?$/.test(specifier)).map(show)).toEqual([]);
});

test('what the site takes of the core brings no schemas into its pages', () => {
  const seen = new Set<string>();
  const schemas = (file: string): string[] => {
    if (seen.has(file)) return [];
    seen.add(file);
    return importsOf(file).flatMap((one) =>
      one.target.startsWith('core/') ? schemas(one.target) : one.target === 'arktype' ? [show(one)] : [],
    );
  };
  const taken = imports.filter(
    ({ from, target }) => /^site\/src\//.test(from) && !isTest(from) && target.startsWith('core/'),
  );
  expect(taken.length).toBeGreaterThan(50);
  expect(taken.flatMap(({ target }) => schemas(target))).toEqual([]);
});

test('the start, the build and the test command import no package before they install', () => {
  const seen = new Set<string>();
  const packages = (file: string): string[] => {
    if (seen.has(file)) return [];
    seen.add(file);
    return staticImportsOf(file).flatMap(({ target, specifier }) =>
      /^[.#]/.test(specifier)
        ? packages(target)
        : /^(node|bun):/.test(specifier)
          ? []
          : [`${file} imports ${specifier}`],
    );
  };
  const entries = [
    'api/start.ts',
    'api/runtime/launch/dev.ts',
    'api/runtime/launch/build.ts',
    'tests/run.ts',
    'tests/check.ts',
  ];
  expect(entries.flatMap(packages)).toEqual([]);
});

function staticImportsOf(file: string): Import[] {
  return importsOf(file).filter(({ kind }) => kind === 'import-statement');
}

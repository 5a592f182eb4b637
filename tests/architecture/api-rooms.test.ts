import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { apiRoomOf, apiRooms, composition, ground, pairs } from './import-table.ts';
import { codeFiles, dependenciesOf, isTest } from './source-files.ts';

const apiFiles = codeFiles.filter((file) => file.startsWith('api/') && !isTest(file));

const crossings = apiFiles.flatMap((file) => {
  const from = apiRoomOf(file);
  const targets = dependenciesOf(file).filter((target) => target.startsWith('api/'));
  return targets.map((target) => ({ file, target, from, to: apiRoomOf(target) }));
});
const meetings = crossings.filter(({ from, to }) => from && to && from !== to);
const rank = (room: (typeof apiRooms)[number]) => apiRooms.indexOf(room);

describe('the rooms of the api', () => {
  const rows = pairs.map(([from, to]) => `${from} → ${to}`);

  test('meet only where the table has a row', () => {
    const found = Map.groupBy(meetings, ({ from, to }) => `${from} → ${to}`);
    const without = [...found].filter(([pair]) => !rows.includes(pair));
    expect(without.map(([pair, [first]]) => `${pair}: ${first?.file} imports ${first?.target}`)).toEqual([]);
  });

  test('have a row only where they meet', () => {
    const found = new Set(meetings.map(({ from, to }) => `${from} → ${to}`));
    expect(rows.filter((row) => !found.has(row))).toEqual([]);
    expect(new Set(rows).size).toBe(rows.length);
  });

  test('import only what is lower', () => {
    const down = (pair: (typeof pairs)[number]) => rank(pair[1]) < rank(pair[0]);
    expect(pairs.filter((pair) => !down(pair))).toEqual([]);
  });

  test('are entered by the files at their top: what lies in a folder below is their own', () => {
    const entered = meetings.filter(({ to }) => to && !ground.includes(to));
    const below = entered.filter(({ target }) => target.split('/').length > 3);
    expect(below.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  test('know nothing of the files that put them together', () => {
    const roots = crossings.filter(({ from, to }) => from && !to);
    expect(roots.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });
});

test('only routes and what puts rooms together take Deps whole', () => {
  const mayTakeAll = /(^|[-/])routes\.ts$|^api\/deps\.ts$/;
  const whole = apiFiles.filter(
    (file) => !mayTakeAll.test(file) && !composition.test(file) && takesAll(readFileSync(file, 'utf8')),
  );
  expect(whole).toEqual([]);
});

describe('routes map HTTP to a call and back', () => {
  const routes = apiFiles.filter((file) => /(^|[-/])routes\.ts$/.test(file));
  /** What decides, writes or proves stands in the room's other files: a command and its streams, SQL, a queued message, a secret. */
  const rules =
    /\b(handleCommand|carryOut|changeBusiness|inTransaction|queueMessage|fold|streamName|uuidV5|createHmac|hkdfSync)\(|\b\w+Decider\b|\.store\.\w|\.query\(|\b(select|insert into|update|delete from)\s+\w+\.\w/;

  test('and decide nothing', () => {
    expect(routes.length).toBeGreaterThan(30);
    const deciding = routes.flatMap((file) => {
      const [rule] = rules.exec(withoutComments(readFileSync(file, 'utf8'))) ?? [];
      return rule === undefined ? [] : `${file} has ${rule}`;
    });
    expect(deciding).toEqual([]);
  });

  test('and are imported by what puts rooms together alone', () => {
    const inside = crossings.filter(({ from, target }) => from && routes.includes(target));
    expect(inside.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });
});

/** Whether a file names `Deps` as a whole: neither `Pick<Deps, …>` nor `Deps['…']`, which name a part. */
function takesAll(text: string): boolean {
  const code = withoutComments(text).replace(/^import[^;]*;/gm, '');
  return /\bDeps\b/.test(code.replace(/\bPick<\s*Deps\s*,|\bDeps\[/g, ''));
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
}

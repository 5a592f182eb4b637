import { expect, test } from 'vitest';
import { codeFiles, dependenciesOf, isTest } from './source-files.ts';

test('no files import each other in a circle, types included', () => {
  const sources = codeFiles.filter((file) => !isTest(file));
  const graph = new Map(sources.map((file) => [file, dependenciesOf(file)]));
  expect(circlesOf(graph)).toEqual([]);
});

test('a circle is found however long it is', () => {
  const graph = { a: ['b'], b: ['c', 'd'], c: ['a'], d: ['d'], e: ['a'] };
  expect(circlesOf(new Map(Object.entries(graph)))).toEqual([['a', 'b', 'c']]);
});

/** Groups of files each of which reaches all others of its group, by name (Tarjan's strongly connected components). */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];

  function visit(file: string): number {
    const index = order.size;
    let low = index;
    order.set(file, index);
    open.push(file);
    for (const target of graph.get(file) ?? []) {
      if (!graph.has(target)) continue;
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (open.includes(target)) low = Math.min(low, order.get(target) ?? index);
    }
    if (low === index) {
      const circle = open.splice(open.indexOf(file));
      if (circle.length > 1) circles.push(circle.sort());
    }
    return low;
  }

  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return circles.sort((one, other) => ((one[0] ?? '') < (other[0] ?? '') ? -1 : 1));
}

import { expect, test } from 'vitest';
import { createProgress } from './report.ts';

function output(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, written, write: (text: string) => written.push(text) };
}

test('a pipe gets a plain line at each tenth', () => {
  const pipe = output(false);
  const show = createProgress(pipe);
  for (let done = 1; done <= 40; done += 1) show('jobs', done, 40);
  expect(pipe.written).toHaveLength(10);
  expect(pipe.written[0]).toBe('jobs: 4 of 40\n');
  expect(pipe.written.at(-1)).toBe('jobs: 40 of 40\n');
  expect(pipe.written.join('')).not.toContain('\u001b');
});

test('of two at once a pipe gets each tenth of each once', () => {
  const pipe = output(false);
  const show = createProgress(pipe);
  for (let look = 1; look <= 5; look += 1) {
    show('jobs', 30, 40);
    show('accounts', 20, 40);
  }
  expect(pipe.written).toEqual(['jobs: 30 of 40\n', 'accounts: 20 of 40\n']);
});

test('a terminal gets one line, redrawn, with an estimate', () => {
  const terminal = output(true);
  let time = 0;
  const show = createProgress(terminal, () => time);
  for (let done = 0; done <= 100; done += 1) {
    show('jobs', done, 100);
    time += 500;
  }
  expect(terminal.written[50]).toBe('\r\u001b[Kjobs [############............] 50 %, 25 s left');
  expect(terminal.written.at(-1)).toBe('\r\u001b[Kjobs [########################] 100 %\n');
});

test('a terminal is not redrawn for every item', () => {
  const terminal = output(true);
  let time = 1_000;
  const show = createProgress(terminal, () => time);
  for (let done = 1; done < 1_000; done += 1) {
    show('jobs', done, 1_000);
    time += 1;
  }
  expect(terminal.written.length).toBeLessThan(15);
});

test('nothing to do is done', () => {
  const pipe = output(false);
  createProgress(pipe)('jobs', 0, 0);
  expect(pipe.written).toEqual(['jobs: 0 of 0\n']);
});

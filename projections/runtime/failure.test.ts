import { expect, test } from 'vitest';
import { ApplyError, reasonOf } from './failure.ts';

const withState = (code: string) => Object.assign(new Error('Ring Aroha'), { code });

test.each([
  ['a busy pool', new Error('timeout exceeded when trying to connect'), 'database unavailable'],
  ['a lost connection', new Error('Connection terminated unexpectedly'), 'database unavailable'],
  ['a statement', new ApplyError('a batch', { cause: withState('22001') }), 'Error 22001'],
  ['code', new ApplyError('a batch', { cause: new TypeError('Ring Aroha') }), 'TypeError'],
  ['what is no error', 'Ring Aroha', 'string'],
])('the reason of %s says its kind, and nothing of its message', (_of, error, reason) => {
  expect(reasonOf(error)).toBe(reason);
});

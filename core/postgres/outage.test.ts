import { expect, test } from 'vitest';
import { isOutage } from './outage.ts';

const coded = (code: string, message = 'x') => Object.assign(new Error(message), { code });

test.each([
  ['no server listens', coded('ECONNREFUSED')],
  ['a connection is cut', coded('ECONNRESET')],
  ['the server shuts down', coded('57P01')],
  ['the server starts up', coded('57P03')],
  ['a statement takes too long', coded('57014')],
  ['too many clients', coded('53300')],
  ['the disk is full', coded('53100')],
  ['the file system fails', coded('58030')],
  ['pg lost the connection', new Error('Connection terminated unexpectedly')],
  ['the pool has no connection', new Error('timeout exceeded when trying to connect')],
  ['every address refuses', new AggregateError([coded('ECONNREFUSED')])],
])('an outage: %s', (_name, error) => {
  expect(isOutage(error)).toBe(true);
});

test.each([
  ['a unique key is taken', coded('23505')],
  ['text is no uuid', coded('22P02')],
  ['a table is missing', coded('42P01')],
  ['a bug', new TypeError('x is not a function')],
  ['no error at all', 'ECONNREFUSED'],
])('not an outage: %s', (_name, error) => {
  expect(isOutage(error)).toBe(false);
});

import { expect, test } from 'vitest';
import { areDetailsValid, changeOf, fieldsOfRefusal, problemOfField, sameDetails } from './details-form.ts';

const stored = {
  ...{ bn: '51824753556', tradingName: 'Acme Plumbing', firstName: 'Dave', lastName: 'Nguyen' },
  intro: 'Since 2009',
};

test('only what was changed is sent', () => {
  expect(changeOf(stored, stored)).toEqual({});
  expect(changeOf({ ...stored, tradingName: 'Acme', intro: '' }, stored)).toEqual({
    bn: { tradingName: 'Acme' },
    intro: '',
  });
  expect(changeOf({ ...stored, bn: '53004085616', firstName: 'David' }, stored)).toEqual({
    bn: { bn: '53004085616' },
    firstName: 'David',
  });
});

test('a form is valid when each of its fields is', () => {
  expect(areDetailsValid(stored, stored)).toBe(true);
  expect(areDetailsValid({ ...stored, lastName: 'Ng' }, stored)).toBe(false);
  expect(areDetailsValid({ ...stored, tradingName: '' }, stored)).toBe(false);
  expect(areDetailsValid({ ...stored, intro: 'x'.repeat(301) }, stored)).toBe(false);
});

test('a short name that the server has is not judged', () => {
  const jo = { ...stored, firstName: 'Jo', lastName: 'Ng' };
  expect(areDetailsValid(jo, jo)).toBe(true);
  expect(areDetailsValid({ ...jo, intro: 'New words' }, jo)).toBe(true);
  expect(areDetailsValid({ ...jo, firstName: 'Al' }, jo)).toBe(false);
  expect(problemOfField('lastName', 'Ng', jo)).toBeNull();
  expect(problemOfField('lastName', 'N', jo)).toBe('Last name must be at least 3 characters long');
});

test('forms are compared field by field, and refusals go by the names of the form', () => {
  expect(sameDetails(stored, { ...stored })).toBe(true);
  expect(sameDetails(stored, { ...stored, intro: '' })).toBe(false);
  expect(fieldsOfRefusal({ 'bn.tradingName': 'No', lastName: 'Short' })).toEqual({
    tradingName: 'No',
    lastName: 'Short',
  });
});

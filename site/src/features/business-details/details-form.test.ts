import { expect, test } from 'vitest';
import { areDetailsValid, changeOf, fieldsOfRefusal, problemOfField, sameDetails } from './details-form.ts';

const kept = {
  ...{ bn: '51824753556', tradingName: 'Acme Plumbing', firstName: 'Dave', lastName: 'Nguyen' },
  intro: 'Since 2009',
};

test('only what was changed is sent', () => {
  expect(changeOf(kept, kept)).toEqual({});
  expect(changeOf({ ...kept, tradingName: 'Acme', intro: '' }, kept)).toEqual({
    bn: { tradingName: 'Acme' },
    intro: '',
  });
  expect(changeOf({ ...kept, bn: '53004085616', firstName: 'David' }, kept)).toEqual({
    bn: { bn: '53004085616' },
    firstName: 'David',
  });
});

test('a form is valid when each of its fields is', () => {
  expect(areDetailsValid(kept, kept)).toBe(true);
  expect(areDetailsValid({ ...kept, lastName: 'Ng' }, kept)).toBe(false);
  expect(areDetailsValid({ ...kept, tradingName: '' }, kept)).toBe(false);
  expect(areDetailsValid({ ...kept, intro: 'x'.repeat(301) }, kept)).toBe(false);
});

test('a short name that the server has is not judged', () => {
  const jo = { ...kept, firstName: 'Jo', lastName: 'Ng' };
  expect(areDetailsValid(jo, jo)).toBe(true);
  expect(areDetailsValid({ ...jo, intro: 'New words' }, jo)).toBe(true);
  expect(areDetailsValid({ ...jo, firstName: 'Al' }, jo)).toBe(false);
  expect(problemOfField('lastName', 'Ng', jo)).toBeNull();
  expect(problemOfField('lastName', 'N', jo)).toBe('Last name must be at least 3 characters long');
});

test('forms are compared field by field, and refusals go by the names of the form', () => {
  expect(sameDetails(kept, { ...kept })).toBe(true);
  expect(sameDetails(kept, { ...kept, intro: '' })).toBe(false);
  expect(fieldsOfRefusal({ 'bn.tradingName': 'No', lastName: 'Short' })).toEqual({
    tradingName: 'No',
    lastName: 'Short',
  });
});

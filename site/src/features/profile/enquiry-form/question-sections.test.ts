import { expect, test } from 'vitest';
import {
  askedQuestions,
  generalQuestions,
  necessaryQuestions,
  type Question,
  tradeLabel,
  tradeQuestions,
} from './questions-store.ts';

const plain: Question = {
  ...{ id: 'pets', title: 'Any pets?', description: null, enabled: true, necessary: false, tradie: null },
  ...{ trade: null, seq: 3, kind: 'choice', options: ['No', 'Yes'], builtIn: false },
};
const title: Question = { ...plain, id: 'title', seq: 1, necessary: true, builtIn: true };
const home: Question = { ...plain, id: 'home', seq: 2, enabled: false };
const own: Question = { ...plain, id: 'own', seq: 2, tradie: 'acme', trade: { id: 'plumbing' } };
const water: Question = { ...plain, id: 'water', seq: 1, trade: { id: 'plumbing' } };
const roof: Question = { ...plain, id: 'roof', seq: 1, trade: { id: 'roofing' } };
const all = [plain, title, home, own, water, roof];
const ids = (questions: readonly Question[]) => questions.map(({ id }) => id);

test('a section has its own questions, by their place', () => {
  expect(ids(generalQuestions(all))).toEqual(['home', 'pets']);
  expect(ids(necessaryQuestions(all))).toEqual(['title']);
  expect(ids(tradeQuestions(all, 'plumbing'))).toEqual(['water', 'own']);
  expect(ids(tradeQuestions(all, 'tiling'))).toEqual([]);
});

test('a customer is asked what is ticked now, beside the inputs that every form has', () => {
  expect(ids(askedQuestions(all, { pets: false, home: true }))).toEqual(['home', 'own', 'water', 'roof']);
});

test('a chip needs no services', () => {
  expect(tradeLabel({ id: 'gas-fitting', name: 'Gas fitting services' })).toBe('Gas fitting');
  expect(tradeLabel({ id: 'plumbing', name: 'Plumbing' })).toBe('Plumbing');
});

import { expect, test } from 'vitest';
import { eachField } from '#core/values/job-form.ts';
import { bodyOf } from './form-body.ts';

const nothing = { place: null, media: [], unsentFiles: 0 };
const typed = {
  ...eachField(() => ''),
  name: 'Aroha Tāwhiri',
  email: 'aroha@example.com',
  phone: '0491 570 156',
  address: '14 Blyth St, Brunswick',
  title: 'Leaking shower',
  website: '',
};

test('text goes as typed, the box as true, answered questions by id', () => {
  expect(bodyOf({ ...typed, isUrgent: 'on', 'answer.pets': 'Yes', 'answer.floor': '  ' }, nothing)).toEqual({
    ...typed,
    isUrgent: true,
    answers: [{ questionId: 'pets', answer: 'Yes' }],
  });
});

test('an unticked box is not urgent', () => {
  expect(bodyOf(typed, nothing)).toMatchObject({ isUrgent: false, answers: [] });
});

test('a chosen address goes with where it is, files by their ids and those that stay behind as a count', () => {
  const place = { address: typed.address, placeId: 'p1', lat: -37.77, lng: 144.96 };
  const { address: _, ...where } = place;
  const media = ['m1', 'm2'];
  expect(bodyOf(typed, { place, media, unsentFiles: 1 })).toMatchObject({ ...where, media, unsentFiles: 1 });
});

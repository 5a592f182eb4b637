import { expect, test } from 'vitest';
import { isDoubleTap, moved, swipeOf, wholePhoto, zoomed } from './gestures.ts';

const stage = { width: 400, height: 600 };

test('what is under the fingers stays there while the photo grows', () => {
  const at = { x: 100, y: -60 };
  const view = zoomed(wholePhoto, 2, at, stage);
  expect(view).toEqual({ scale: 2, x: -100, y: 60 });
  // A point of the photo is shown at its middle plus its own place, enlarged.
  expect(view.x + 100 * view.scale).toBe(at.x);
});

test('a photo is never smaller than its stage, nor larger than five times', () => {
  expect(zoomed(wholePhoto, 0.5, { x: 10, y: 10 }, stage)).toEqual(wholePhoto);
  expect(zoomed(wholePhoto, 50, { x: 0, y: 0 }, stage).scale).toBe(5);
  const enlarged = zoomed(wholePhoto, 3, { x: 200, y: 300 }, stage);
  expect(zoomed(enlarged, 0.1, { x: 0, y: 0 }, stage)).toEqual(wholePhoto);
});

test('an enlarged photo moves until its edge, and a whole one stays', () => {
  const enlarged = zoomed(wholePhoto, 2, { x: 0, y: 0 }, stage);
  expect(moved(enlarged, { x: 50, y: -20 }, stage)).toEqual({ scale: 2, x: 50, y: -20 });
  expect(moved(enlarged, { x: 5_000, y: -5_000 }, stage)).toEqual({ scale: 2, x: 200, y: -300 });
  expect(moved(wholePhoto, { x: 50, y: 50 }, stage)).toEqual(wholePhoto);
});

test('a swipe goes to a neighbour or closes; what is short or goes up does nothing', () => {
  expect(swipeOf({ x: -80, y: 20 }, stage)).toBe('next');
  expect(swipeOf({ x: 80, y: -20 }, stage)).toBe('previous');
  expect(swipeOf({ x: 20, y: 120 }, stage)).toBe('close');
  for (const by of [
    { x: 40, y: 0 },
    { x: 0, y: 60 },
    { x: 10, y: -300 },
  ])
    expect(swipeOf(by, stage)).toBeNull();
});

test('two taps are one gesture only close to each other in place and time', () => {
  const first = { x: 10, y: 10, at: 1_000 };
  expect(isDoubleTap(first, { x: 14, y: 8, at: 1_200 })).toBe(true);
  expect(isDoubleTap(first, { x: 14, y: 8, at: 1_500 })).toBe(false);
  expect(isDoubleTap(first, { x: 90, y: 8, at: 1_200 })).toBe(false);
  expect(isDoubleTap(null, first)).toBe(false);
});

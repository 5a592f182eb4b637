import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { drawnWithin, pictureToSend } from './files.ts';

/** More than what goes as it is, so that one that can be drawn would be made smaller. */
const photo = new Blob([new Uint8Array(2 * 1024 * 1024)], { type: 'image/jpeg' });

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a picture that the browser does not finish drawing goes as it is, and the next one follows', async () => {
  const close = vi.fn();
  let finish: (picture: object) => void = () => {};
  vi.stubGlobal('createImageBitmap', () => new Promise((resolve) => (finish = resolve)));
  const sent = pictureToSend(photo);
  await vi.advanceTimersByTimeAsync(8_000);
  expect(await sent).toEqual({ file: photo, canvas: null });
  // What comes too late holds no memory.
  finish({ width: 4, height: 4, close });
  await vi.advanceTimersByTimeAsync(0);
  expect(close).toHaveBeenCalledOnce();
});

test('a logo that is not drawn in time is refused, as one that cannot be drawn', async () => {
  vi.stubGlobal('createImageBitmap', () => new Promise(() => {}));
  const drawn = expect(drawnWithin(photo, 512)).rejects.toThrow('too slow');
  await vi.advanceTimersByTimeAsync(8_000);
  await drawn;
});

test('a picture that cannot be read fails at once', async () => {
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('no picture')));
  expect(await pictureToSend(photo)).toEqual({ file: photo, canvas: null });
  expect(vi.getTimerCount()).toBe(0);
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { shareJobForm } from './share-job-form.ts';

const toast = { success: vi.fn(), error: vi.fn() };

const writeText = vi.fn();
const share = vi.fn();
const link = 'https://ute.example/t/acme';

beforeEach(() => {
  vi.resetAllMocks();
  vi.stubGlobal('location', { origin: 'https://ute.example' });
  vi.stubGlobal('navigator', { share, clipboard: { writeText } });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('the sheet of the device hands the link out, without a toast', async () => {
  expect(await shareJobForm('acme', toast)).toBe(true);
  expect(share).toHaveBeenCalledWith({ url: link });
  expect(writeText).not.toHaveBeenCalled();
  expect(toast.success).not.toHaveBeenCalled();
});

test('a sheet that is closed again hands out nothing', async () => {
  share.mockRejectedValue(new DOMException('closed', 'AbortError'));
  expect(await shareJobForm('acme', toast)).toBe(false);
  expect(writeText).not.toHaveBeenCalled();
});

test('without a sheet, or where it cannot open, the link is copied', async () => {
  share.mockRejectedValue(new DOMException('not here', 'NotAllowedError'));
  expect(await shareJobForm('acme', toast)).toBe(true);
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  expect(await shareJobForm('acme', toast)).toBe(true);
  expect(writeText.mock.calls).toEqual([[link], [link]]);
  expect(toast.success).toHaveBeenCalledTimes(2);
});

test('a clipboard that refuses leaves the link in the toast', async () => {
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  writeText.mockRejectedValue(new Error('refused'));
  expect(await shareJobForm('acme', toast)).toBe(false);
  expect(toast.error.mock.calls[0]?.[0]).toContain(link);
});

import { expect, test } from 'vitest';
import { announcementOf, linesOf, markedIn, rowsOf } from './address-rows.ts';

const blyth = { id: 'p1', address: '14 Blyth Street, Brunswick VIC 3056, Australia' };
const suggested = { text: '14 blyth', found: [blyth], hasFailed: false };

test('the last row is the text as it was typed, whatever is suggested', () => {
  expect(rowsOf(suggested)).toEqual([blyth, { id: null, address: '14 blyth' }]);
  expect(rowsOf({ ...suggested, found: [], hasFailed: true })).toEqual([{ id: null, address: '14 blyth' }]);
  expect(rowsOf(null)).toEqual([]);
});

test('shows what is there', () => {
  expect(announcementOf(null, true).note).toBe('Please wait...');
  expect(announcementOf(suggested, false)).toEqual({
    note: '',
    spoken: '1 address found. The last row uses what you typed',
  });
  expect(announcementOf({ ...suggested, found: [] }, false).spoken).toMatch(/^No addresses found/);
  expect(announcementOf({ ...suggested, hasFailed: true }, false).note).toMatch(/as you typed it$/);
  expect(announcementOf(null, false)).toEqual({ note: '', spoken: '' });
});

test('stands in two lines, with the typed words marked', () => {
  expect(linesOf(blyth.address)).toEqual(['14 Blyth Street', 'Brunswick VIC 3056, Australia']);
  expect(linesOf('Back Road')).toEqual(['Back Road', '']);
  expect(markedIn('14 Blyth Street', ' 14 bly ')).toEqual(['', '14 Bly', 'th Street']);
  expect(markedIn('14 Blyth Street', 'blyth')).toEqual(['14 ', 'Blyth', ' Street']);
  expect(markedIn('14 Blyth Street', '14 blyth st brunswick')).toEqual(['', '14 Blyth St', 'reet']);
  expect(markedIn('14 Blyth Street', 'x')).toEqual(['', '', '14 Blyth Street']);
  expect(markedIn('14 Blyth Street', '')).toEqual(['', '', '14 Blyth Street']);
});

import { expect, test } from 'vitest';
import { gsmText } from './gsm-text.ts';

test.each([
  ['New job in Ōrākei, 2 photos', 'New job in Orakei, 2 photos'],
  ['I’m on my way – “soon”…', 'I\'m on my way - "soon"...'],
  ['Café in Zoë’s street\u00a0now', "Café in Zoe's street now"],
  ['Cost: 5 € [about]', 'Cost: 5 € [about]'],
  ['山本さん、New job', '山本さん、New job'],
  ['Ōrākei 🚿', 'Ōrākei 🚿'],
])('%s goes out as %s', (text, sent) => {
  expect(gsmText(text)).toBe(sent);
});

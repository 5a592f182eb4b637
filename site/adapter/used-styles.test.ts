import { expect, test } from 'vitest';
import { usedStyles } from './used-styles.ts';

const page =
  '<html><body><main class="page page--md"><a class="btn">x</a></main><script>"<p class=x>"</script></body></html>';

test.each([
  ['a class or an element that the page has not', '.card{color:red}nav a{color:red}p{color:red}', ''],
  ['the part of a list that it has not', '.btn,.card{color:red}', '.btn{color:red}'],
  ['what a state or an attribute asks for', '.btn:hover{color:red}.btn[data-on]:before{color:red}', null],
  ['what is within an element that it has not', '.page:has(>.card){color:red}', ''],
  ['a group of which nothing is left', '@media print{.card{color:red}}', ''],
  ['an animation without a use', '@keyframes spin{to{rotate:1turn}}.btn{color:red}', '.btn{color:red}'],
  ['one with a use', '@keyframes spin{to{rotate:1turn}}.btn{animation:1s spin}', null],
  [
    'names without a use',
    '@layer tokens{:root{--a:1px;--b:var(--a);color:red}}',
    '@layer tokens{:root{color:red}}',
  ],
  ['a short value under a name', '@layer tokens{:root{--a:1px}}.btn{padding:var(--a)}', '.btn{padding:1px}'],
  [
    'a name with two values',
    '@layer tokens{:root{--a:1px}@media print{:root{--a:2px}}}.btn{padding:var(--a)}',
    null,
  ],
])('%s', (_, css, left) => {
  expect(usedStyles(css, page)).toBe(left ?? css);
});

test('an element that a script makes is one of the page', () => {
  expect(usedStyles('li{color:red}', page, ['li'])).toBe('li{color:red}');
  expect(usedStyles('li{color:red}', page)).toBe('');
});

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { HttpError } from '#api/http/answers.ts';
import { notSentPage, outagePage, unreachablePage } from './outage-page.ts';

const typed = { fields: { title: '"><b>Tap' }, keptMedia: ['f1'], hadFiles: false };

test('the page of an outage has what was typed and the files that are here, for one more try', async () => {
  const html = await outagePage('/t/acme', typed).text();
  expect(html).toContain('<input type="hidden" name="title" value="&quot;&gt;&lt;b&gt;Tap">');
  expect(html).toContain('<input type="hidden" name="keptMedia" value="f1">');
  expect(html).not.toContain('type="file"');
});

test('it asks for photos that came along once more, as they are not here', async () => {
  const html = await outagePage('/t/acme', { ...typed, hadFiles: true }).text();
  expect(html).toContain('Please choose them again<input type="file" name="media" multiple');
  expect(html).toContain('enctype="multipart/form-data" action="/t/acme"');
});

test('a form that was not read is said to be wherever the browser still shows it', async () => {
  const page = notSentPage(new HttpError('too-many', 'Too <many>', { headers: { 'retry-after': '60' } }));
  const html = await page.text();
  expect([page.status, page.headers.get('retry-after')]).toEqual([429, '60']);
  expect(html).toContain('Too &lt;many&gt;');
  expect(html).toContain('Most browsers still show what you typed');
  expect(html).not.toContain('kept');
});

test('each has its own style alone, in both appearances, and loads nothing', async () => {
  const pages = [
    outagePage('/t/acme', typed),
    notSentPage(new HttpError('too-long', 'Too large')),
    unreachablePage(),
  ];
  for (const page of pages) {
    const html = await page.text();
    const style = /<style>([^<]*)<\/style>/.exec(html)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page.headers.get('content-security-policy')).toContain(`style-src 'sha256-${hash}'`);
    expect(style).toContain('color-scheme:light dark');
    expect(html).not.toMatch(/<script|<link|src=| style=/);
  }
});

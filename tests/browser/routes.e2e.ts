import { expect } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { logInByApi } from '#tests/support/browser/browser.ts';
import { tradiePages, visitorPages } from '#tests/support/browser/page.ts';
import { expectShown, laptopRoute, routes } from '#tests/support/browser/routes.ts';

for (const visitor of ['out', 'in'] as const) {
  test(`every route leads where it should, signed ${visitor}`, { tag: '@desktop' }, async ({
    page,
    account,
  }) => {
    test.setTimeout(180_000);
    if (visitor === 'in') await logInByApi(page, account);
    // The others are opened with everything that is asked of a whole page.
    const opened = visitor === 'in' ? tradiePages : visitorPages;
    for (const path of Object.keys(routes).filter(
      (route) => route === laptopRoute || !opened.includes(route),
    )) {
      await page.goto(path);
      await expectShown(page, path, visitor);
    }
  });
}

/** From where a visitor finds the three ways in, and how they are called there. */
const waysIn = {
  '/login': { register: 'Sign Up', demo: 'Book a demo' },
  '/book-demo': { login: 'Log in', register: 'Sign Up' },
  '/no/such/page': { login: 'Log in', register: 'Sign Up', demo: 'Book a demo' },
  '/t/acme-plumbing': { login: 'Log in', register: 'Sign Up', demo: 'Book a demo' },
};
const targets = { login: '/login', register: '/register', demo: '/book-demo' } as const;

test('a visitor finds login, registration and demo from every page of the front', { tag: '@phone' }, async ({
  page,
}) => {
  for (const [path, links] of Object.entries(waysIn)) {
    await page.goto(path);
    for (const [way, name] of Object.entries(links)) {
      const link = page.getByRole('link', { name, exact: true });
      await expect(link, `${way} from ${path}`).toHaveAttribute('href', targets[way as keyof typeof targets]);
      const box = await link.boundingBox();
      expect(box?.height, `${way} from ${path}`).toBeGreaterThanOrEqual(44);
    }
  }
});

test('a signed-in user is not offered to sign up where a page is missing', {
  tag: '@desktop',
}, async ({ page, account }) => {
  await logInByApi(page, account);
  await page.goto('/no/such/page');
  await expect(page.getByRole('link', { name: 'Go to Homepage' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'For visitors' })).toHaveCount(0);
});

test('what a dependency of the build answers is not found, by any method', { tag: '@desktop' }, async ({
  request,
}) => {
  for (const path of ['/_image?href=/icon-512.png&w=512&f=webp', '/_server-islands/Any', '/_actions/any']) {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const answer = await request.fetch(path, { method });
      expect(answer.status(), `${method} ${path}`).toBe(404);
    }
  }
});

/** What a search engine may show of a page: its title, its description, and whether at all. */
const heads = [
  ['/login', 'Login to Ute', true],
  ['/book-demo', 'Book a demo · Ute', true],
  ['/terms', 'Terms · Ute', true],
  ['/privacy', 'Privacy · Ute', true],
  ['/check', 'Check a job record · Ute', true],
  ['/t/acme-plumbing', 'Acme Plumbing: request a job', true],
  ['/forgot-password', 'Forgot password · Ute', false],
  ['/', 'Your jobs · Ute', false],
  ['/profile', 'Profile · Ute', false],
] as const;

test('pages describe themselves to search engines, or ask not to be indexed', { tag: '@desktop' }, async ({
  request,
}) => {
  for (const [path, title, isIndexed] of heads) {
    const html = await (await request.get(path)).text();
    expect(/<title>(.*?)<\/title>/.exec(html)?.[1], path).toBe(title);
    expect(html.includes('<meta name="robots" content="noindex">'), path).toBe(!isIndexed);
    if (isIndexed) expect(html, path).toMatch(/<meta name="description" content="[^"]{30,160}">/);
  }
  const robots = await (await request.get('/robots.txt')).text();
  const sitemap = /^Sitemap: (.*)$/m.exec(robots)?.[1] ?? '';
  const listed = await (await request.get(sitemap)).text();
  const closed = [...robots.matchAll(/^Disallow: (.*)$/gm)].map(([, path = '']) => path);
  const places = [...listed.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, place = '']) => place);
  expect(places.length).toBeGreaterThan(3);
  for (const place of places) {
    expect((await request.get(place)).status(), place).toBe(200);
    expect(
      closed.some((path) => new URL(place).pathname.startsWith(path)),
      place,
    ).toBe(false);
  }
});

test('the app can be put on a home screen: every icon is there', { tag: '@desktop' }, async ({ request }) => {
  const answer = await request.get('/manifest.webmanifest');
  expect(answer.headers()['content-type']).toContain('application/manifest+json');
  const { icons, start_url } = (await answer.json()) as {
    icons: { src: string; type: string }[];
    start_url: string;
  };
  expect(start_url).toBe('/');
  for (const { src, type } of [...icons, { src: '/apple-touch-icon.png', type: 'image/png' }]) {
    const icon = await request.get(src);
    expect(icon.status(), src).toBe(200);
    expect(icon.headers()['content-type'], src).toContain(type);
  }
});

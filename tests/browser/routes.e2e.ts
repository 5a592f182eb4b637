import { expect } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { logInByApi } from '#tests/support/browser/browser.ts';

type Shown = Readonly<{ at: string; heading: string | RegExp }>;

const login = (next = ''): Shown => ({
  at: next ? `/login?next=${encodeURIComponent(next)}` : '/login',
  heading: 'Login to Ute',
});
const shown = (at: string, heading: string | RegExp): Shown => ({ at, heading });
const wizard = shown('/register/tradie/region', 'Where are you based?');
/** A stage that a draft has not come to leads to the one that it has. */
const trades = shown('/register/tradie/trades', "What's your trade?");
const lost = (at: string) => shown(at, 'Page Not Found');
const unknownJob = '/jobs/details/0198c0de-0000-7000-8000-000000000000';

/** The specification's routes: where each leads a visitor, and where a starter business that is signed in. */
const routes: Readonly<Record<string, Readonly<{ out: Shown; in: Shown }>>> = {
  '/': { out: login(), in: shown('/', 'Your jobs') },
  '/jobs': { out: login('/jobs/all'), in: shown('/jobs/all', 'All jobs') },
  '/jobs/all': { out: login('/jobs/all'), in: shown('/jobs/all', 'All jobs') },
  '/jobs/today': { out: login('/jobs/today'), in: shown('/jobs/today', 'Today') },
  '/jobs/new': { out: login('/jobs/new'), in: shown('/jobs/new', 'New') },
  '/jobs/in-progress': { out: login('/jobs/in-progress'), in: shown('/jobs/in-progress', 'In progress') },
  '/jobs/add': { out: login('/jobs/add'), in: shown('/jobs/add', 'Add new job') },
  '/jobs/as-at': { out: login('/jobs/as-at'), in: shown('/jobs/as-at', 'As it stood') },
  [unknownJob]: { out: login(unknownJob), in: shown(unknownJob, 'Job not found') },
  [`${unknownJob}/record`]: {
    out: login(`${unknownJob}/record`),
    in: shown(`${unknownJob}/record`, 'There is no record'),
  },
  [`${unknownJob}/as-at`]: {
    out: login(`${unknownJob}/as-at`),
    in: shown(`${unknownJob}/as-at`, 'Job not found'),
  },
  '/profile': { out: login('/profile'), in: shown('/profile', 'Business Profile') },
  '/profile/brand': { out: login('/profile/brand'), in: shown('/profile/brand', 'Customise appearance') },
  '/profile/reviews': { out: login('/profile/reviews'), in: shown('/', 'Your jobs') },
  '/profile/intro': { out: login('/profile/intro'), in: shown('/profile/intro', /./) },
  '/profile/form': { out: login('/profile/form'), in: shown('/profile/form', 'Enquiry form') },
  '/chatbot': { out: login('/chatbot'), in: shown('/chatbot', 'Kel, your Ute assistant') },
  '/register': { out: wizard, in: wizard },
  '/register/tradie': { out: wizard, in: wizard },
  '/register/tradie/coverage': { out: trades, in: trades },
  '/register/tradie/done': { out: trades, in: trades },
  '/login': { out: login(), in: login() },
  '/forgot-password': {
    out: shown('/forgot-password', 'Forgot password?'),
    in: shown('/forgot-password', 'Forgot password?'),
  },
  '/reset-password': { out: login(), in: login() },
  '/reset-password?t=nothing': {
    out: shown('/reset-password', 'Choose a new password'),
    in: shown('/reset-password', 'Choose a new password'),
  },
  '/book-demo': {
    out: shown('/book-demo', 'See Ute run your week'),
    in: shown('/book-demo', 'See Ute run your week'),
  },
  '/no/such/page': { out: lost('/no/such/page'), in: lost('/no/such/page') },
  '/logout': { out: login(), in: login() },
};

for (const visitor of ['out', 'in'] as const) {
  test(`every route leads where it should, signed ${visitor}`, { tag: '@desktop' }, async ({
    page,
    account,
  }) => {
    test.setTimeout(180_000);
    if (visitor === 'in') await logInByApi(page, account);
    for (const [path, shows] of Object.entries(routes)) {
      const { at, heading } = shows[visitor];
      await page.goto(path);
      await expect(page, path).toHaveURL(at);
      await expect(page.getByRole('heading', { name: heading }).first(), path).toBeVisible();
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

import { expect, type Locator, type Page } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { aCustomer, mockSchedule, postRequest, signIn } from '#tests/support/browser/browser.ts';
import { expectAccessible, watchShifts } from '#tests/support/browser/page.ts';

const todayHeading = (page: Page) => page.getByRole('heading', { name: /^Today •/ });

async function openToday(page: Page): Promise<void> {
  await signIn(page, '/jobs/today?view=today');
  await expect(todayHeading(page)).toBeInViewport();
}

/** Scrolls the days of a phone by `distance` pixels, there before it returns: nothing is measured on the way. */
async function scrollBy(page: Page, distance: number): Promise<void> {
  await page.evaluate((top) => window.scrollBy({ top, behavior: 'instant' }), distance);
}

/** Where something is, once it stays there. */
async function placeAtRest(target: Locator): Promise<number> {
  let place = Number.NaN;
  const stays = async () => {
    const before = place;
    place = (await target.boundingBox())?.y ?? Number.NaN;
    return place === before;
  };
  await expect.poll(stays, { intervals: [50] }).toBe(true);
  return place;
}

test('opens at today in the zone of the business, without a jump', async ({ page }) => {
  const shifts = await watchShifts(page);
  await openToday(page);
  const today = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: 'Australia/Melbourne', weekday: 'long', day: '2-digit' },
  }).format(new Date());
  await expect(todayHeading(page)).toContainText(today.replace(' ', ', '));
  const jobsOfToday = page
    .locator('section')
    .filter({ has: todayHeading(page) })
    .getByRole('article');
  await expect(jobsOfToday.first()).toBeInViewport();
  expect(await shifts()).toBeLessThanOrEqual(0.001);
});

test('no heading of a day lies under the bar of a tablet or of a phone on its side', {
  tag: '@desktop',
}, async ({ page }) => {
  await mockSchedule(page, (distance) => (0 <= distance && distance < 3 ? 6 : 0));
  // Once: a second login makes the page that is open load again.
  await openToday(page);
  for (const [width, height, distance] of [
    [844, 390, 0],
    [768, 1024, 300],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto('/jobs/today?view=today');
    await expect(todayHeading(page)).toBeInViewport();
    await scrollBy(page, distance);
    const bar = await page.locator('.topbar').boundingBox();
    expect(await placeAtRest(todayHeading(page)), `at ${width} px`).toBeGreaterThanOrEqual(
      (bar?.height ?? 0) - 1,
    );
  }
});

test('the days have no accessibility fault', { tag: '@desktop' }, async ({ page }) => {
  await mockSchedule(page, (distance) => (distance === 0 ? 6 : 0));
  await openToday(page);
  await expectAccessible(page);
});

test('the next job of today is marked, and stays so for its hour', { tag: '@phone' }, async ({ page }) => {
  await page.clock.setFixedTime(`${new Date().toISOString().slice(0, 10)}T09:30:00Z`);
  await mockSchedule(page, (distance) => (distance < 2 ? 4 : 0));
  await openToday(page);
  const marked = page.locator('.jrow.is-now');
  await expect(marked).toHaveCount(1);
  await expect(marked.locator('time').first()).toHaveText('9:00AM');
});

test('every one of 180 days has a heading in its tint', { tag: '@phone' }, async ({ page }) => {
  await mockSchedule(page, (distance) => (distance % 2 === 0 ? 1 : 0));
  await openToday(page);
  const headings = page.getByRole('region', { name: 'Jobs by day' }).getByRole('heading');
  await expect(headings).toHaveCount(180);
  await expect(todayHeading(page)).toContainText('1 job');
  await expect(headings.nth(91)).toContainText('No jobs today');
  const tints = { today: '#FEE6A8', weekend: '#DEDDCD', other: '#DCDAF3' };
  const isWeekend = [0, 6].includes(new Date().getUTCDay());
  const inWords = async (place: number) =>
    headings.nth(place).evaluate((element) => {
      const channels = getComputedStyle(element).backgroundColor.match(/\d+/g) ?? [];
      return `#${channels.map((channel) => Number(channel).toString(16).padStart(2, '0')).join('')}`.toUpperCase();
    });
  expect(await inWords(90)).toBe(tints.today);
  const week = await Promise.all([91, 92, 93, 94, 95, 96].map(inWords));
  expect(week.filter((tint) => tint === tints.weekend)).toHaveLength(isWeekend ? 1 : 2);
  expect(week.filter((tint) => tint === tints.other)).toHaveLength(isWeekend ? 5 : 4);
});

test('of 2,000 jobs at most 400 are on the page, wherever one scrolls', { tag: '@phone' }, async ({
  page,
}) => {
  await mockSchedule(page, (distance) => (distance === 3 ? 380 : 9));
  await openToday(page);
  const cards = page.getByRole('article');
  await expect(cards.first()).toBeVisible();
  for (let turn = 0; turn < 20; turn += 1) {
    await scrollBy(page, 3_000);
    await page.evaluate(() => new Promise(requestAnimationFrame));
    expect(await cards.count()).toBeLessThanOrEqual(400);
  }
  await expect(page.getByRole('article').first()).toBeAttached();
  await expect(todayHeading(page)).not.toBeInViewport();
});

test('news of other days leave what is in sight where it is', { tag: '@phone' }, async ({ page }) => {
  let extra = 0;
  await mockSchedule(page, (distance) => (distance === -1 ? 1 + extra : 2));
  await openToday(page);
  await scrollBy(page, 700);
  await expect(todayHeading(page)).not.toBeInViewport();
  const name = await page.getByRole('article').evaluateAll((all) => {
    const inSight = all.find((one) => one.getBoundingClientRect().top > innerHeight / 3);
    return inSight?.getAttribute('aria-label') ?? '';
  });
  const article = page.getByRole('article', { name, exact: true });
  const before = await placeAtRest(article);
  extra = 2;
  // A change on the server that every open page is notified of, and that no other test makes.
  await postRequest(page, aCustomer('News'));
  await expect(page.getByRole('heading', { name: /3 jobs$/ })).toBeAttached();
  expect(Math.abs((await placeAtRest(article)) - before)).toBeLessThanOrEqual(2);
});

test('of a day with 620 jobs the last one is reached too', { tag: '@desktop' }, async ({ page }) => {
  await mockSchedule(page, (distance) => (distance === 0 ? 620 : 1));
  await openToday(page);
  await expect(todayHeading(page)).toContainText('620 jobs');
  await page.getByRole('complementary').locator('[aria-current="date"]').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(todayHeading(page)).not.toBeInViewport();
  await page.getByRole('article', { name: /Job 619 of/ }).scrollIntoViewIfNeeded();
  // As the browser does before it prints.
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await expect(page.getByRole('article')).toHaveCount(620 + 179);
});

test('the whole schedule is there to be found and printed, light, without its empty days', {
  tag: '@desktop',
}, async ({ page }) => {
  await mockSchedule(page, (distance) => ([-89, 0, 40, 88].includes(distance) ? 3 : 0));
  await openToday(page);
  const jobs = page.getByRole('article');
  await expect(jobs).toHaveCount(12);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const days = page.getByRole('region', { name: 'Jobs by day' });
  const isWhole = (list: Element) => list.scrollHeight <= list.clientHeight;
  await expect.poll(() => days.evaluate(isWhole)).toBe(true);
  expect(await jobs.evaluateAll((all) => all.filter((one) => one.checkVisibility()).length)).toBe(12);
  await expect(days.getByRole('heading').filter({ visible: true })).toHaveCount(4);
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('light');
});

test('the month beside it leads to any day, by arrow keys too', { tag: '@desktop' }, async ({ page }) => {
  await openToday(page);
  const month = page.getByRole('complementary', { name: 'Jump to a day' });
  const focused = page.locator(':focus');
  await month.locator('[aria-current="date"]').focus();
  await page.keyboard.press('PageDown');
  await page.keyboard.press('Home');
  const name = (await focused.getAttribute('aria-label')) ?? '';
  expect(name).toMatch(/^Monday /);
  await page.keyboard.press('Enter');
  const [, date = ''] = /^Monday (\d+) /.exec(name) ?? [];
  const heading = page.getByRole('heading', { name: `Monday, ${date.padStart(2, '0')} ` });
  await expect(heading.and(focused)).toBeInViewport();
  await expect(todayHeading(page)).not.toBeInViewport();
  await month.getByRole('button', { name: 'Back to today' }).click();
  await expect(todayHeading(page)).toBeInViewport();
});

test('a phone opens the search by a button; clearing it brings the days back, as cards if one likes', {
  tag: '@phone',
}, async ({ page }) => {
  await openToday(page);
  await page.getByRole('button', { name: 'Search jobs' }).click();
  await expect(page.getByRole('searchbox', { name: 'Search jobs' })).toBeFocused();
  await page.getByRole('searchbox', { name: 'Search jobs' }).fill('no such job at all');
  await expect(page.getByRole('heading', { name: 'No jobs found' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(todayHeading(page)).toBeInViewport();
  await page.getByRole('group', { name: 'View' }).getByRole('button', { name: 'Cards' }).click();
  await expect(todayHeading(page)).toBeInViewport();
  await expect(
    page
      .getByRole('article')
      .first()
      .getByRole('link', { name: /^Details/ }),
  ).toHaveText('Details');
});

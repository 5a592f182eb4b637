import { expect, type Page } from '@playwright/test';

/** Pages that a visitor opens, without the wizard's later steps and what only a link of a message opens. */
export const visitorPages: readonly string[] = [
  ...['/login', '/forgot-password', '/reset-password?t=nothing', '/book-demo', '/register/tradie'],
  ...['/terms', '/privacy', '/offline', '/no/such/page'],
  ...['/answer/nonsense', '/not-needed/nonsense', '/unsubscribe/nonsense', '/welcome/nonsense'],
  '/your-details/nonsense',
];

/** A job that no business has. */
const unknownJob = '/jobs/details/0198c0de-0000-7000-8000-000000000000';

/** Pages that a tradie opens, with each panel of the settings; the page of a job is the test's own. */
export const tradiePages: readonly string[] = [
  ...['/', '/jobs/today?view=today', '/jobs/new?view=new', '/jobs/in-progress?view=in-progress'],
  ...['/jobs/all?view=all', '/jobs/all?view=all&search=nothing+like+it', '/jobs/add', unknownJob],
  ...['/profile', '/profile/brand', '/profile/intro', '/profile/form', '/chatbot'],
  ...['look', 'business-details', 'enquiry-form', 'notifications', 'security', 'proof'].map(
    (panel) => `/profile?panel=${panel}`,
  ),
];

/** Opens a page and waits until its islands have started and nothing of it is a placeholder. */
export async function openWhole(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  await expect(page.locator('main :is(h1, h2)').first()).toBeAttached();
  await expect(page.locator('.sk').filter({ visible: true })).toHaveCount(0);
  if (path.includes('panel='))
    await expect(page.getByRole('dialog').getByRole('heading').first()).toBeVisible();
}

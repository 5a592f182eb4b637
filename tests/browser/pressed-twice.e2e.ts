import { expect, type Page } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { openJob, openList } from '#tests/support/browser/browser.ts';
import { slot } from '#tests/support/scenarios/job-requests.ts';

/** Presses the place where a control is, and once that is gone what is there then, before the time of a double tap is over. */
async function pressTwice(page: Page, selector: string): Promise<void> {
  await page.evaluate(async (selected) => {
    const control = document.querySelector<HTMLElement>(selected);
    const { left, top, width, height } = control?.getBoundingClientRect() ?? new DOMRect();
    const press = () => {
      const pressed = document.elementFromPoint(left + width / 2, top + height / 2);
      if (pressed instanceof HTMLElement) pressed.click();
    };
    press();
    // The time stands still, so that a slow machine is not too late.
    const pauseAll = () => {
      for (const animation of document.getAnimations()) animation.pause();
    };
    pauseAll();
    while (control?.isConnected) await new Promise(requestAnimationFrame);
    pauseAll();
    press();
    for (const animation of document.getAnimations()) animation.finish();
  }, selector);
}

test('a step that is pressed twice is one step', { tag: '@phone' }, async ({ page }) => {
  const { ask, id } = await openJob(page, 'One step');
  await ask('PUT', `/jobs/${id}`, { scheduledAt: slot(1, '10:30') });
  await page.getByRole('button', { name: 'Mark quoted' }).dblclick();
  await expect(page.getByText('Quoted, was To quote')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Start the job' })).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Job status' })).toHaveText(/Quoted/);
});

test('Done of a sheet that is pressed twice is not the next step of the job as well', {
  tag: '@phone',
}, async ({ page }) => {
  const { ask, id } = await openJob(page, 'Time twice');
  await ask('PUT', `/jobs/${id}`, { status: 'In progress' });
  await page
    .getByRole('button', { name: /^Schedule / })
    .first()
    .click();
  const sheet = page.getByRole('dialog', { name: 'Schedule' });
  await sheet.locator('.cal button:enabled').last().click();
  await sheet.getByRole('button', { name: '10:00AM' }).click();
  await pressTwice(page, '.picker__do .btn--primary');
  await expect(page.getByText(/^Set for .*10:00AM$/)).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Job status' })).toHaveText(/In progress/);
  await expect(page.getByRole('button', { name: 'Mark completed' })).toBeEnabled();
});

test('an answer that is pressed twice is not the answer to the next job as well', {
  tag: '@desktop',
}, async ({ page }) => {
  const card = (id: string, status: string) => ({
    ...{ id, type: 'Consumer', status, title: `Job ${id}`, isUrgent: false, name: `Customer ${id}` },
    ...{ scheduledAt: null, createdAt: '2026-01-01T00:00:00Z', noLongerNeededAt: null, heldFor: null },
    ...{ revision: 0, location: { address: '1 A St', placeId: null, lat: null, lng: null } },
  });
  const jobs = ['one', 'two', 'three'].map((id) => card(id, 'Pending'));
  await page.route('**/api/jobs?*', (route) => route.fulfill({ json: { status: 'ok', jobs, more: false } }));
  const accepted: string[] = [];
  await page.route('**/api/jobs/*/accept', (route) => {
    const id = new URL(route.request().url()).pathname.split('/').at(-2) ?? '';
    accepted.push(id);
    return route.fulfill({ json: { status: 'ok', job: { ...card(id, 'To quote'), revision: 1 } } });
  });
  await openList(page, 'new');
  await pressTwice(page, '[data-answers] [aria-label^="Accept"]');
  // Answered like any other once it is meant.
  await page.getByRole('button', { name: 'Accept, Customer three' }).click();
  await expect(page.getByRole('region', { name: 'To quote' }).getByRole('article')).toHaveCount(2);
  expect(accepted).toEqual(['one', 'three']);
});

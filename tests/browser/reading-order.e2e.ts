import { expect, type Page } from '@playwright/test';
import { aTradie, openWizardAt, test } from '#tests/support/browser/accounts.ts';
import {
  aCustomer,
  aTypedJob,
  linkOf,
  logInByApi,
  messageTo,
  postRequest,
} from '#tests/support/browser/browser.ts';
import { openWhole, tradiePages, visitorPages } from '#tests/support/browser/page.ts';
import { slot } from '#tests/support/scenarios/job-requests.ts';

/**
 * What stands above or, on the same line, left of something that comes before it in the document: a screen reader and Tab go another way
 * there than the eye. What floats over the page or stands below what scrolls, and rows that scroll sideways, are left out. Runs in the page.
 */
function outOfOrder(): string[] {
  const nameOf = (element: Element) =>
    `${element.localName}.${element.className} “${element.textContent?.trim().slice(0, 40)}”`;
  const scope = document.querySelector('dialog:modal') ?? document.body;
  const floats = (element: Element) => {
    for (let at: Element | null = element; at && at !== scope; at = at.parentElement)
      if (['fixed', 'sticky', 'absolute'].includes(getComputedStyle(at).position)) return true;
    return false;
  };
  const parts = [...scope.querySelectorAll('a, button, input, textarea, select, summary, h1, h2, h3, p, img')]
    .filter((part) => part.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .filter(
      (part) =>
        !part.closest('.sr, [inert], .panel__foot, .chips--scroll, [data-scrolls-sideways]') && !floats(part),
    )
    .map((part) => ({ part, box: part.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 1 && box.height > 1);
  const found: string[] = [];
  for (const [index, { part, box }] of parts.entries()) {
    const before = parts[index - 1];
    if (!before || before.part.contains(part)) continue;
    const isAbove = box.bottom <= before.box.top + 1 && box.left < before.box.right;
    const isBeside = box.top < before.box.bottom - 1 && box.bottom > before.box.top + 1;
    if (isAbove || (isBeside && box.right <= before.box.left + 1))
      found.push(`${nameOf(part)} ${isAbove ? 'above' : 'left of'} ${nameOf(before.part)}`);
  }
  return found;
}

async function expectInOrder(page: Page, what = page.url()): Promise<void> {
  expect.soft(await page.evaluate(outOfOrder), what).toEqual([]);
}

test.describe('the order in the document is the order on a phone', { tag: '@phone' }, () => {
  test('on every page of a tradie', async ({ page, account }) => {
    test.slow();
    const ask = await logInByApi(page, account);
    const customer = aCustomer('Ordered');
    await postRequest(page, customer, `/t/${account.slug}`);
    const list = () => ask<{ jobs: { id: string }[] }>('GET', '/jobs');
    await expect.poll(async () => (await list()).jobs.length).toBe(1);
    const lead = (await list()).jobs[0]?.id;
    const { job } = await ask<{ job: { id: string } }>('POST', '/jobs', {
      ...{ ...aTypedJob('Ordered'), scheduledAt: slot(1, '10:30') },
    });
    const ofJob = (id?: string) => ['', '/record', '/as-at'].map((part) => `/jobs/details/${id}${part}`);
    for (const path of [...tradiePages, ...ofJob(lead), ...ofJob(job.id)]) {
      await openWhole(page, path);
      await expectInOrder(page, path);
    }
    await page.goto(linkOf(await messageTo(page, customer.email, '/not-needed/')));
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectInOrder(page);
    await openWhole(page, `/t/${account.slug}`);
    await expectInOrder(page);
  });

  test('on every page of a visitor', async ({ page }) => {
    test.slow();
    for (const path of visitorPages) {
      await page.goto(path);
      await expect(page.getByRole('heading').first()).toBeVisible();
      await expectInOrder(page, path);
    }
  });

  for (const stage of ['region', 'trades', 'bn', 'coverage', 'mobile', 'password', 'done'] as const)
    test(`at the stage “${stage}” of a registration`, async ({ page }) => {
      await openWizardAt(page, stage, aTradie('au'));
      await expectInOrder(page, stage);
    });
});

test('on a laptop what is done with a job is read before what it is about', {
  tag: '@desktop',
}, async ({ page, account }) => {
  const ask = await logInByApi(page, account);
  const { job } = await ask<{ job: { id: string } }>('POST', '/jobs', aTypedJob('Read'));
  await openWhole(page, `/jobs/details/${job.id}`);
  const regions = page.locator('main section[aria-label], main section[aria-labelledby]');
  const boxes = await regions.evaluateAll((all) =>
    all.map((one) => one.getBoundingClientRect()).map(({ left, top }) => ({ left, top })),
  );
  const columns = [...new Set(boxes.map(({ left }) => left))];
  for (const column of columns) {
    const tops = boxes.filter(({ left }) => left === column).map(({ top }) => top);
    expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  }
  await expect(regions.first()).toHaveAccessibleName('Work on this job');
});

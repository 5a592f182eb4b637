import { expect, type Page } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { aCustomer, aTypedJob, logInByApi, postRequest } from '#tests/support/browser/browser.ts';
import { openWhole, tradiePages, visitorPages } from '#tests/support/browser/page.ts';
import { slot } from '#tests/support/scenarios/job-requests.ts';

// A laptop's window of 1280 by 800 at 200 %.
test.use({ viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 });

/**
 * What of the page is out of reach: it scrolls sideways, bars take half of it, it has no main control, or has one that the keyboard
 * brings to no place where all of it can be seen and pressed. Runs in the page.
 */
async function outOfReach(): Promise<string[]> {
  const { clientWidth, scrollWidth } = document.documentElement;
  const found = scrollWidth > clientWidth ? [`the page is ${scrollWidth} px wide`] : [];
  const place = [...document.querySelectorAll('dialog[open], .modal')].at(-1) ?? document;
  const seen = (selector: string) =>
    [...place.querySelectorAll<HTMLElement>(selector)].filter((control) => {
      const { width } = control.getBoundingClientRect();
      return (
        width > 1 && control.checkVisibility({ visibilityProperty: true }) && !control.matches(':disabled')
      );
    });
  const primary = seen('.btn--primary, .tabbar__add');
  const controls = primary.length > 0 ? primary : seen(':is(a, button):not(.skip)').slice(0, 1);
  if (controls.length === 0) found.push('it has no control');
  const rows = Array.from({ length: innerHeight / 10 }, (_, row) => row * 10 + 5);
  // The heading of a day that has no job is all there is of it.
  const isBar = (on: Element | null): boolean =>
    on !== null &&
    !on.matches('.day-heading') &&
    (['fixed', 'sticky'].includes(getComputedStyle(on).position) || isBar(on.parentElement));
  const free = rows.filter((y) => !isBar(document.elementFromPoint(innerWidth / 2, y))).length;
  if (place === document && free < rows.length / 2) found.push(`bars leave ${free * 10} px`);
  for (const control of controls) {
    control.focus();
    await new Promise(requestAnimationFrame);
    const name = `${control.textContent.trim()} (${control.className})`;
    const { left, top, right, bottom } = control.getBoundingClientRect();
    if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) {
      found.push(`${name} is at ${[left, top, right, bottom].map(Math.round).join()}`);
      continue;
    }
    for (const [x, y] of [
      [(left + right) / 2, (top + bottom) / 2],
      [left + 8, top + 8],
      [right - 8, bottom - 8],
    ] as const) {
      const on = document.elementFromPoint(x, y);
      if (!on || !(control.contains(on) || on.closest('label')?.contains(control))) {
        found.push(`${name} is covered by ${on?.className} at ${Math.round(x)}, ${Math.round(y)}`);
        break;
      }
    }
  }
  return found;
}

async function expectInReach(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await openWhole(page, path);
    // What is loaded last may bring the controls.
    await expect.poll(() => page.evaluate(outOfReach), { message: path }).toEqual([]);
  }
}

test('at 200 % the pages of visitors scroll one way, and their main control is in reach', {
  tag: '@desktop',
}, async ({ page, account }) => {
  test.slow();
  await expectInReach(page, [
    '/',
    ...visitorPages,
    `/t/${account.slug}`,
    `/t/${account.slug}/sent`,
    '/check',
  ]);
});

test('at 200 % the pages of a tradie scroll one way, and their main control is in reach', {
  tag: '@desktop',
}, async ({ page, account }) => {
  test.slow();
  const ask = await logInByApi(page, account);
  await expectInReach(page, tradiePages);
  await postRequest(page, aCustomer('Waits'), `/t/${account.slug}`);
  const jobs = async () => (await ask<{ jobs: { id: string }[] }>('GET', '/jobs')).jobs;
  await expect.poll(async () => (await jobs()).length).toBe(1);
  const lead = (await jobs())[0]?.id;
  const { job } = await ask<{ job: { id: string } }>('POST', '/jobs', {
    ...{ ...aTypedJob('Zoomed'), scheduledAt: slot(1, '10:30') },
  });
  await expectInReach(page, [
    ...['/', '/jobs/all?view=all', '/jobs/new?view=new', '/jobs/today?view=today'],
    ...[lead, job.id].map((id) => `/jobs/details/${id}`),
    ...[`/jobs/details/${job.id}/record`, `/jobs/details/${job.id}/as-at`, '/jobs/as-at'],
  ]);
});

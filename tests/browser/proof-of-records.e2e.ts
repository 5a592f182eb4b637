import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { readCheckpoint } from '#core/proof/checkpoint.ts';
import { test } from '#tests/support/browser/accounts.ts';
import { demo, logInByApi } from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';

const panel = (page: Page) => page.getByRole('dialog', { name: 'Records for disputes' });
const openFold = (page: Page) => panel(page).getByText('For your lawyer').click();

test('the profile shows the newest checkpoint, to be saved, the key, and where a record is checked', {
  tag: '@phone',
}, async ({ page }) => {
  const ask = await logInByApi(page, demo());
  const { jobs } = await ask<{ jobs: { id: string }[] }>('GET', '/jobs?limit=1');
  // A record needs a checkpoint, so there is one from now on.
  await ask('POST', `/jobs/${jobs[0]?.id}/record`, { audience: 'customer' });
  const { keys } = await ask<{ keys: { kind: string; vkey: string }[] }>('GET', '/checkpoints/key');
  await page.goto('/profile');
  await page.getByRole('link', { name: 'Records for disputes' }).click();
  await expect(
    panel(page)
      .getByText(/checkpoint/i)
      .first(),
  ).toBeHidden();
  await openFold(page);
  await expect(
    panel(page).getByText(keys.find(({ kind }) => kind === 'signature')?.vkey ?? '?'),
  ).toBeVisible();
  const download = page.waitForEvent('download');
  await panel(page).getByRole('button', { name: 'Save the checkpoint' }).click();
  const note = readFileSync(await (await download).path(), 'utf8');
  const saved = readCheckpoint(note.slice(0, note.indexOf('\n\n') + 1));
  await expect(panel(page).getByText(saved?.origin ?? '?', { exact: true })).toBeVisible();
  await expect(panel(page).getByText(String(saved?.size), { exact: true })).toBeVisible();
  await expect(panel(page).getByRole('link', { name: 'Open the check page' })).toHaveAttribute(
    'href',
    '/check',
  );
  await expectAccessible(page);
});

test('the profile lists earlier checkpoints, ten at a time, each to be saved', { tag: '@phone' }, async ({
  page,
}) => {
  const ask = await logInByApi(page, demo());
  const { jobs } = await ask<{ jobs: { id: string }[] }>('GET', '/jobs?limit=1');
  await ask('POST', `/jobs/${jobs[0]?.id}/record`, { audience: 'customer' });
  const { checkpoint } = await ask<{ checkpoint: { size: number; note: string } }>(
    'GET',
    '/checkpoints/latest',
  );
  const known = Array.from({ length: 25 }, (_, n) => ({
    size: checkpoint.size + 24 - n,
    signedAt: '2026-11-23T00:00:00.000Z',
  }));
  await page.route(/\/api\/checkpoints$/, (route) =>
    route.fulfill({ json: { status: 'ok', checkpoints: known } }),
  );
  await page.route(/\/api\/checkpoints\/latest$/, (route) =>
    route.fulfill({
      json: {
        status: 'ok',
        checkpoint: {
          ...checkpoint,
          size: checkpoint.size + 24,
          root: '',
          signedAt: '2026-11-23T00:00:00.000Z',
          timestamps: [],
        },
      },
    }),
  );
  await page.goto('/profile?panel=proof');
  await openFold(page);
  const saves = panel(page).getByRole('button', { name: /^Save the one of / });
  await expect(saves).toHaveCount(10);
  await panel(page).getByRole('button', { name: 'Show more' }).click();
  await panel(page).getByRole('button', { name: 'Show more' }).click();
  await expect(saves).toHaveCount(24);
  await expect(panel(page).getByRole('button', { name: 'Show more' })).toBeHidden();
  const download = page.waitForEvent('download');
  await panel(page)
    .getByRole('button', { name: `Save the one of ${checkpoint.size} events` })
    .click();
  expect(readFileSync(await (await download).path(), 'utf8')).toBe(checkpoint.note);
  await expectAccessible(page);
});

test('before the first checkpoint it says so, and a failure can be tried again', { tag: '@phone' }, async ({
  page,
}) => {
  await logInByApi(page, demo());
  const newest = /\/api\/checkpoints\/latest$/;
  await page.route(newest, (route) =>
    route.fulfill({ status: 409, json: { status: 'error', message: 'The log takes a break' } }),
  );
  await page.goto('/profile?panel=proof');
  await expect(panel(page).getByText('The log takes a break')).toBeVisible();
  await page.unroute(newest);
  await page.route(newest, (route) =>
    route.fulfill({ status: 404, json: { status: 'error', message: 'Not found' } }),
  );
  await panel(page).getByRole('button', { name: 'Try again' }).click();
  await openFold(page);
  await expect(panel(page).getByText(/^No checkpoint was signed yet/)).toBeVisible();
  await expectAccessible(page);
});

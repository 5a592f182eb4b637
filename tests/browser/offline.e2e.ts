import { expect, type Page } from '@playwright/test';
import type { JobCardView } from '#core/job/view.ts';
import { dayKey } from '#site/lib/time/moments.ts';
import { test } from '#tests/support/browser/accounts.ts';
import { demo, logInByApi, openJob } from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';
import { png } from '#tests/support/scenarios/files.ts';

test.use({ serviceWorkers: 'allow' });
test.afterEach(({ context }) => context.setOffline(false));

/** Waits until the browser has cached the site's pages and answers for them. */
async function untilPagesAreCached(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
}

/** The answers that the browser holds, by their paths, and which of some words it holds anywhere at all. */
const held = (page: Page, words: string[] = []): Promise<{ paths: string[]; found: string[] }> =>
  page.evaluate(async (wanted) => {
    const finished = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve) => {
        request.onsuccess = () => resolve(request.result);
      });
    const paths: string[] = [];
    const texts: string[] = [];
    const tables: Record<string, string> = {
      ...{ 'ute.copies': 'copies', 'ute.changes': 'waiting', 'ute.photos': 'waiting' },
    };
    for (const { name = '' } of await indexedDB.databases()) {
      const table = tables[name];
      if (!table) continue;
      const database = await finished(indexedDB.open(name));
      const rows: { path?: string; id?: string; photoId?: string; sealed?: ArrayBuffer }[] = await finished(
        database.transaction(table).objectStore(table).getAll(),
      );
      database.close();
      for (const { sealed, ...row } of rows) {
        paths.push(row.path ?? `${name} ${row.id ?? row.photoId}`);
        texts.push(JSON.stringify(row) + (sealed ? new TextDecoder('latin1').decode(sealed) : ''));
      }
    }
    for (const name of await caches.keys()) {
      const pages = await (await caches.open(name)).matchAll();
      texts.push(...(await Promise.all(pages.map((text) => text.text()))));
    }
    texts.push(JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    const found = wanted.filter((word) => texts.some((text) => text.includes(word)));
    return { paths, found };
  }, words);

async function untilCached(page: Page, path: RegExp): Promise<void> {
  await expect.poll(async () => (await held(page)).paths.join(' ')).toMatch(path);
}

const asOf = /These are your jobs as of \d+:\d\d[AP]M\./;

test('what was loaded last stays readable without a network, and shows from when it is', {
  tag: '@phone',
}, async ({ page, context }) => {
  const { name, phone, title } = await openJob(page, 'Dead spot');
  await expect(page.getByText('You accepted it')).toBeVisible();
  const details = page.url();
  await untilPagesAreCached(page);
  await untilCached(page, new RegExp(`/${details.split('/').at(-1)}`));
  for (const [path, asked] of [
    ['/jobs/today?view=today', /schedule( |$)/],
    ['/jobs/new?view=new', /filter=Pending%2C/],
    ['/', /ahead=/],
  ] as const) {
    await page.goto(path);
    await untilCached(page, asked);
  }
  const today = page.getByRole('heading', { name: /^Today •/ });

  await context.setOffline(true);
  await page.goto(details);
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(page.getByText(/You’re offline. This is the job as of/)).toBeVisible();
  await expect(page.getByRole('main')).toContainText(name);
  await expect(page.getByRole('region', { name: 'Contact details' })).toContainText(phone);
  await expect(page.getByText('You accepted it')).toBeVisible();
  await page.goto('/jobs/today?view=today');
  await expect(today).toBeInViewport();
  await expect(page.getByText(asOf)).toBeVisible();
  await page.goto('/jobs/new?view=new');
  const listed = page.getByRole('article').first();
  const listedTitle = (await listed.locator('.job__what').textContent()) ?? '';
  await listed.getByRole('link').first().click();
  await expect(page.getByText(/This is what your list said of it as of \d+:\d\d[AP]M\./)).toBeVisible();
  await expect(page.getByRole('article')).toContainText(listedTitle.replace('…', ''));
  await page.goto('/');
  await expect(page.getByText(asOf)).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Job counts' })).toHaveText(/\d/);
  await page.goto('/jobs/details/00000000-0000-7000-8000-000000000000');
  await expect(page.getByText('This job was not opened on this device yet.')).toBeVisible();
  await page.goto('/profile');
  await expect(page.getByRole('heading', { name: 'You’re offline' })).toBeVisible();

  await context.setOffline(false);
  await page.route('**/api/**', (route) => route.abort());
  await page.goto('/');
  await expect(page.getByText('We can’t reach Ute from here. These are your jobs as of')).toBeVisible();
  await page.unroute('**/api/**');
  await page.reload();
  await expect(page.getByRole('navigation', { name: 'Job counts' })).toHaveText(/\d/);
  await expect(page.getByText(asOf)).toHaveCount(0);
});

/** What another account on this phone has waiting: a change, a photo and, in this tab, notes. Runs in the page. */
async function leaveOfAnother(): Promise<void> {
  sessionStorage.setItem('ute.draft.notes:j1.another', '{}');
  for (const [database, keyPath] of [
    ['ute.changes', 'id'],
    ['ute.photos', 'photoId'],
  ] as const) {
    const row = {
      [keyPath]: 'theirs',
      account: 'another',
      iv: new Uint8Array(12),
      sealed: new ArrayBuffer(8),
    };
    await new Promise((resolve) => {
      const opening = indexedDB.open(database);
      opening.onsuccess = () => {
        const writing = opening.result.transaction('waiting', 'readwrite');
        writing.objectStore('waiting').put(row);
        writing.oncomplete = resolve;
        opening.result.close();
      };
    });
  }
}

test('what is stored shows nothing of a customer, and a logout asks once about all that waits and takes no more', {
  tag: '@desktop',
}, async ({ page, context }) => {
  const { name, email, title } = await openJob(page, 'Sealed', { accepted: false });
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByRole('region', { name: 'Contact details' })).toContainText(email);
  await untilPagesAreCached(page);
  await untilCached(page, /history/);
  await context.setOffline(true);
  await page.getByRole('combobox', { name: 'Job status' }).click();
  await page.getByRole('option', { name: 'Paid' }).click();
  await expect(page.getByText('No signal. 1 change waiting')).toBeVisible();
  const photo = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(png(60, 40)) };
  await page.getByLabel('Add photo').setInputFiles(photo);
  const sheet = page.getByRole('dialog', { name: '1 photo' });
  await sheet.getByRole('textbox', { name: 'Caption' }).fill('Sealed caption');
  await sheet.getByRole('button', { name: 'Add 1 photo' }).click();
  await expect(page.getByText('1 waiting for signal.')).toBeVisible();
  await page.goto('/jobs/add');
  await page.getByLabel('Full name').fill('Half Typed');
  const { paths, found } = await held(page, [
    name,
    email,
    title,
    '570156',
    '570 156',
    '0491',
    'Sealed caption',
    'IHDR',
  ]);
  expect(found).toEqual([]);
  const waiting = (all: string[]) => all.filter((path) => /^ute\.(changes|photos) /.test(path)).sort();
  const own = waiting(paths);
  expect(own).toHaveLength(4);
  await page.evaluate(leaveOfAnother);

  await page.goto('/logout');
  await expect(
    page.getByRole('heading', { name: '1 change, 1 photo and 1 draft are not sent yet' }),
  ).toBeVisible();
  await expect(page.getByText('The draft: a new job.')).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByRole('link', { name: 'Stay logged in' })).toBeFocused();
  await page.getByRole('link', { name: 'Stay logged in' }).click();
  await expect(page).toHaveURL('/');
  const theirs = ['ute.changes theirs', 'ute.photos theirs'];
  expect(waiting((await held(page)).paths)).toEqual([...own, ...theirs].sort());

  await page.goto('/logout');
  await expect(page.getByRole('heading', { name: /not sent yet$/ })).toBeVisible();
  // So that the server's answer says what the browser is to forget.
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Log out and lose them' }).click();
  await expect(page).toHaveURL('/login');
  expect((await held(page)).paths.sort()).toEqual(['ute.changes key', 'ute.photos key', ...theirs].sort());
  expect(await page.evaluate(() => [Object.keys(localStorage).sort(), Object.keys(sessionStorage)])).toEqual([
    ['ute.changes-waiting', 'ute.photos-waiting'],
    ['ute.draft.notes:j1.another'],
  ]);
});

/** Everything that the browser holds, in clear: sealed answers are opened with the session's token, as the product does. */
const openedTexts = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const finished = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve) => {
        request.onsuccess = () => resolve(request.result);
      });
    const encode = (text: string) => new TextEncoder().encode(text);
    const texts = [JSON.stringify([{ ...localStorage }, { ...sessionStorage }])];
    const token = /"token":"([^"]+)"/.exec(
      JSON.stringify({ ...localStorage, ...sessionStorage }).replaceAll('\\', ''),
    )?.[1];
    const secret = await crypto.subtle.importKey('raw', encode(token ?? ''), 'HKDF', false, ['deriveKey']);
    const how = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encode('ute copies') };
    const key = await crypto.subtle.deriveKey(how, secret, { name: 'AES-GCM', length: 256 }, false, [
      'decrypt',
    ]);
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await finished(indexedDB.open(name));
      for (const table of database.objectStoreNames) {
        for (const row of await finished(database.transaction(table).objectStore(table).getAll())) {
          texts.push(JSON.stringify(row));
          if (!row.sealed) continue;
          const { iv, path, sealed } = row;
          const opened = await crypto.subtle.decrypt(
            { name: 'AES-GCM', iv, additionalData: encode(path) },
            key,
            sealed,
          );
          texts.push(new TextDecoder().decode(opened));
        }
      }
      database.close();
    }
    for (const name of await caches.keys()) {
      const pages = await (await caches.open(name)).matchAll();
      texts.push(...(await Promise.all(pages.map((answer) => answer.text()))));
    }
    return texts.join('\n');
  });

test('once the list says that a customer was removed, the browser holds nothing of them, not even sealed', {
  tag: '@desktop',
}, async ({ page }) => {
  const { id, email, title } = await openJob(page, 'Erased since');
  await untilPagesAreCached(page);
  await untilCached(page, /history/);
  await page.goto('/jobs/all?view=all');
  await untilCached(page, /sort=createdAt/);
  const markers = [email, title];
  const found = async () => {
    const texts = await openedTexts(page);
    return markers.filter((marker) => texts.includes(marker));
  };
  expect(await found()).toEqual(markers);

  const erased = { name: 'Removed customer', title: 'Removed job', erasedAt: new Date().toISOString() };
  await page.route(/\/api\/jobs\?/, async (route) => {
    const response = await route.fetch();
    const { jobs, ...more } = await response.json();
    const shown = jobs.map(({ email: _, phone: __, ...job }: JobCardView) =>
      job.id === id ? { ...job, ...erased, location: { ...job.location, address: '' } } : job,
    );
    await route.fulfill({ response, json: { ...more, jobs: shown } });
  });
  await page.reload();
  await expect(page.getByText('Removed customer').first()).toBeVisible();
  await expect.poll(found).toEqual([]);
});

test('without a network a schedule that was never opened shows the jobs that the dashboard has', {
  tag: '@phone',
}, async ({ page, context }) => {
  const ask = await logInByApi(page, demo());
  const { jobs } = await ask<{ jobs: JobCardView[] }>('GET', '/jobs/schedule?ahead=90&limit=75');
  const next = jobs.find(({ status }) => status === 'In progress' || status === 'To quote');
  await page.goto('/');
  await untilPagesAreCached(page);
  await untilCached(page, /ahead=/);
  expect((await held(page)).paths.join(' ')).not.toMatch(/schedule( |$)/);

  await context.setOffline(true);
  await page.goto('/jobs/today?view=today');
  await expect(page.getByRole('heading', { name: /^Today •/ })).toBeInViewport();
  await expect(page.getByText(asOf)).toBeVisible();
  const day = page.locator(`[data-day="${dayKey(next?.scheduledAt ?? '', 'Australia/Melbourne')}"]`);
  await day.scrollIntoViewIfNeeded();
  await expect(day.locator(`[data-job="${next?.id}"]`)).toBeVisible();
  await expect(day.getByRole('heading').first()).not.toContainText('No jobs');
});

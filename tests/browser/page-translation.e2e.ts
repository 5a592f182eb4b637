import { expect } from '@playwright/test';
import {
  aTradie,
  codeField,
  codeSentTo,
  heading,
  nextButton,
  openWizard,
  test,
} from '#tests/support/browser/accounts.ts';
import {
  aCustomer,
  aTypedJob,
  fillRequest,
  linkOf,
  logInByApi,
  messageTo,
  postRequest,
  sendRequest,
} from '#tests/support/browser/browser.ts';
import { openWhole, tradiePages } from '#tests/support/browser/page.ts';
import { translatePages } from '#tests/support/browser/translator.ts';
import { png } from '#tests/support/scenarios/files.ts';
import { slot } from '#tests/support/scenarios/job-requests.ts';

// What a page says changes under the translation, and every change is seen: so each step below waits for the words that follow from it.
test.describe('while the browser translates them', { tag: '@phone' }, () => {
  test('the pages of a tradie go on, and say what changes', async ({ page, account }) => {
    test.slow();
    const ask = await logInByApi(page, account);
    const customer = aCustomer('Translated');
    await postRequest(page, customer, `/t/${account.slug}`);
    const list = () => ask<{ jobs: { id: string }[] }>('GET', '/jobs');
    await expect.poll(async () => (await list()).jobs.length).toBe(1);
    const id = (await list()).jobs[0]?.id ?? '';
    const { job } = await ask<{ job: { id: string } }>('POST', '/jobs', {
      ...{ ...aTypedJob('Planned'), scheduledAt: slot(1, '10:30') },
    });
    const expectUnbroken = await translatePages(page);

    await openWhole(page, '/jobs/new?view=new');
    const waiting = page.getByRole('region', { name: 'Waiting on you' });
    await waiting.getByRole('button', { name: /^Reject/ }).click();
    await expect(page.getByText('Job has been rejected.')).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await expect(waiting.getByRole('article', { name: customer.title })).toBeVisible();
    await page.getByRole('searchbox').fill('nothing like it');
    await expect(page.getByText('Nothing matches “nothing like it”')).toBeVisible();
    await page.getByRole('searchbox').fill('nothing of the kind');
    await expect(page.getByText('Nothing matches “nothing of the kind”')).toBeVisible();
    await expectUnbroken('lists');

    await openWhole(page, `/jobs/details/${id}`);
    await page
      .getByRole('button', { name: /^Accept/ })
      .first()
      .click();
    await expect(page.getByText('Job has been accepted!')).toBeVisible();
    const notes = page.getByRole('textbox', { name: 'Notes' });
    await notes.pressSequentially('Side gate');
    await expect(page.getByText('Not saved yet')).toBeVisible();
    await expect(page.getByText(/^Saved \d+:\d\d[AP]M$/)).toBeVisible();
    await expect(page.getByRole('region', { name: 'Job history' })).toContainText('Side gate');
    await page
      .getByRole('button', { name: /^Schedule / })
      .first()
      .click();
    const sheet = page.getByRole('dialog', { name: 'Schedule' });
    await sheet.locator('.cal button:enabled').last().click();
    for (const time of ['10:00AM', '2:30PM']) {
      await sheet.getByRole('button', { name: time, exact: true }).click();
      await expect(sheet).toContainText(new RegExp(`, ${time}`));
    }
    await expectUnbroken('the schedule of a job');
    await sheet.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByText(/^Set for .*2:30PM$/)).toBeVisible();
    await expect(page.getByRole('button', { name: /^Schedule .*2:30PM/ }).first()).toBeVisible();
    await page.getByRole('button', { name: 'Mark quoted' }).click();
    await expect(page.getByText('Quoted, was To quote')).toBeVisible();
    await expect(page.getByRole('combobox', { name: 'Job status' })).toHaveText(/Quoted/);
    const pictures = [1, 2].map((n) => ({
      ...{ name: `${n}.png`, mimeType: 'image/png', buffer: Buffer.from(png(40 + n, 40)) },
    }));
    await page.getByLabel('Add photo').setInputFiles(pictures);
    const chosen = page.getByRole('dialog', { name: '2 photos' });
    await expect(chosen).toBeVisible();
    await chosen.getByRole('button', { name: 'Take out photo 2' }).click();
    await page.getByRole('button', { name: 'Add 1 photo', exact: true }).click();
    await expect(page.locator('#photos')).toHaveText('Photos 1');
    await expectUnbroken('a job');

    await openWhole(page, '/profile?panel=notifications');
    await page.getByRole('switch', { name: 'SMS for new jobs' }).click();
    await expect(page.getByText('Saved', { exact: true })).toBeVisible();
    await page.getByRole('switch', { name: 'Email for new jobs' }).click();
    await expect(page.getByText('Nothing tells you of a new job')).toBeVisible();
    await expectUnbroken('notifications');
    await openWhole(page, '/profile?panel=business-details');
    await page.getByLabel('About').fill('Leaks fixed');
    await expect(page.getByText(/^11\/\d+ characters$/)).toBeVisible();
    await openWhole(page, '/jobs/add');
    await page.getByLabel('Email address').fill('no email');
    await page.getByLabel('Full name').focus();
    await expect(page.locator('.field__error').filter({ hasText: /email/ })).toBeVisible();
    await expectUnbroken('a job that is typed in');
    await openWhole(page, '/chatbot');
    await page.getByLabel('Message Kel').fill('Which jobs need a quote?');
    await page.getByLabel('Message Kel').press('Enter');
    await expect(page.getByRole('log', { name: 'Conversation' })).toContainText(/jobs? to quote\./);
    await expectUnbroken('Kel');

    const pages = [`/jobs/details/${job.id}/as-at`, `/jobs/details/${job.id}/record`, ...tradiePages];
    for (const path of pages) {
      await openWhole(page, path);
      await expectUnbroken(path);
    }
  });

  test('the wizard goes on through all its steps', async ({ page }) => {
    const expectUnbroken = await translatePages(page);
    const tradie = aTradie('au');
    await openWizard(page);
    await page.getByRole('radio', { name: /^Australia/ }).check();
    await nextButton(page).click();
    await page.getByRole('checkbox', { name: /^Plumbing services/ }).check();
    await page.getByRole('checkbox', { name: 'Blocked drains' }).check();
    await expect(page.getByText('1 of 3 trades, 1 specialty')).toBeVisible();
    await expectUnbroken('trades');
    await nextButton(page).click();
    await page.getByRole('combobox', { name: 'ABN number' }).fill('mount wel');
    await page.getByRole('option', { name: /^Mount Wellington Plumbing/ }).click();
    await page.getByLabel('First name').fill(' ');
    await expect(nextButton(page)).toHaveAccessibleDescription('Still needed: your first name');
    await page.getByLabel('First name').fill('Ivy');
    await expectUnbroken('business');
    await nextButton(page).click();
    await page.getByLabel('Radius').fill('100');
    await expect(page.getByText('100 km', { exact: true }).first()).toBeVisible();
    await expectUnbroken('coverage');
    await nextButton(page).click();
    await expect(heading(page, 'Contact details')).toBeVisible();
    await page.getByLabel('Email address').fill(tradie.email);
    await expect(page.getByText('This email is free')).toBeVisible();
    await page.getByLabel('Mobile number').fill(tradie.phone);
    await page.getByRole('button', { name: 'Send code to verify' }).click();
    await expect(codeField(page)).toBeFocused();
    const code = await codeSentTo(page, tradie.e164);
    await codeField(page).fill(code === '000000' ? '111111' : '000000');
    await expect(page.locator('.field__error').filter({ hasText: /code/i })).toBeVisible();
    await codeField(page).fill(code);
    await expect(page.getByText('Your mobile number is confirmed')).toBeVisible();
    await expectUnbroken('contact');
    await nextButton(page).click();
    await expect(heading(page, 'Create a password')).toBeVisible();
    await page.getByLabel('Password', { exact: true }).fill(tradie.password);
    await page.getByRole('checkbox', { name: /I agree to the terms/ }).check();
    await expectUnbroken('password');
    await nextButton(page).click();
    await expect(heading(page, 'Set up your Starter plan')).toBeVisible();
    await expectUnbroken('done');
  });

  test('the pages of a customer, and the answer by a link, go on', async ({ page, account }) => {
    const expectUnbroken = await translatePages(page);
    const customer = aCustomer('Translated');
    await page.goto(`/t/${account.slug}`);
    await page.getByRole('button', { name: /^Send to/ }).click();
    await expect(page.locator('.field__error').filter({ visible: true }).first()).toBeVisible();
    await fillRequest(page, customer);
    await expect(page.locator('.field__error').filter({ visible: true })).toHaveCount(0);
    await sendRequest(page);
    await page.goto(linkOf(await messageTo(page, account.email, '/answer/')));
    await page.getByRole('button', { name: 'Accept' }).click();
    await expect(page.getByRole('status')).toContainText('Job has been accepted!');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('status')).toContainText('You took your answer back.');
    await expectUnbroken('the answer');
  });
});

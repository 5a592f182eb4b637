import { expect } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { demo, logIn, logInByApi, signIn } from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';

test('the login has its fields, with Keep me signed in ticked, and shows a known reason', {
  tag: '@phone',
}, async ({ page }) => {
  await page.goto('/login?error=session-timed-out');
  await expect(page.getByRole('heading', { name: 'Login to Ute' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveText('Session timed out');
  await expect(page.getByLabel('Email address')).toBeVisible();
  await expect(page.getByLabel('Email address')).toHaveAttribute('autocomplete', 'username');
  await expect(page.getByLabel('Password')).toHaveAttribute('type', 'password');
  await expect(page.getByLabel('Password')).toHaveAttribute('autocomplete', 'current-password');
  await expect(page.getByRole('checkbox', { name: 'Keep me signed in' })).toBeChecked();
  await expect(page.getByRole('button', { name: 'Login' })).toBeDisabled();
  await expect(page.getByRole('link', { name: 'Forgot password?' })).toHaveAttribute(
    'href',
    '/forgot-password',
  );
  await expect(page.getByRole('link', { name: 'Sign Up' })).toHaveAttribute('href', '/register');
  await expectAccessible(page);
});

test('a reason that is not known is not shown', { tag: '@desktop' }, async ({ page }) => {
  const error = '<img src=x onerror=alert(1)>';
  await page.goto(`/login?error=${encodeURIComponent(error)}`);
  await expect(page.getByRole('heading', { name: 'Login to Ute' })).toBeVisible();
  await expect(page.getByRole('alert')).toBeHidden();
  expect(await page.content()).not.toContain(error);
});

test('Login waits for a valid email and a password, which a word shows and hides', { tag: '@phone' }, async ({
  page,
}) => {
  await page.goto('/login');
  const [email, password] = [page.getByLabel('Email address'), page.getByLabel('Password')];
  const login = page.getByRole('button', { name: 'Login' });
  await password.fill('x');
  for (const wrong of ['dave', 'dave@', 'dave@acme', '@acme.example', 'dave acme@acme.example']) {
    await email.fill(wrong);
    await expect(login).toBeDisabled();
  }
  await email.fill(' Dave@Acme.Example ');
  await expect(login).toBeEnabled();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(password).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Hide', exact: true }).click();
  await expect(password).toHaveAttribute('type', 'password');
  await password.fill('');
  await expect(login).toBeDisabled();
});

test('a login is sent once; one that fails shows why, and what was typed stays', { tag: '@phone' }, async ({
  page,
}) => {
  await page.goto('/login');
  let requests = 0;
  const held = Promise.withResolvers<void>();
  await page.route('**/api/authenticate/login', async (route) => {
    requests += 1;
    await held.promise;
    await route.continue();
  });
  await logIn(page, { ...demo(), password: 'wrong password' });
  await expect(page.getByLabel('Email address')).toBeDisabled();
  await expect(page.getByLabel('Password')).toBeDisabled();
  await expect(page.getByRole('checkbox')).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Login' })).toBeDisabled();
  held.resolve();
  await expect(page.getByRole('alert')).toContainText('Error logging on');
  await expect(page.getByRole('alert')).toContainText('Invalid credentials');
  await expect(page.getByLabel('Email address')).toHaveValue(demo().email);
  await expect(page.getByLabel('Password')).toBeFocused();
  await expect(page.getByRole('button', { name: 'Login' })).toBeEnabled();
  expect(requests).toBe(1);
});

test('where a bot check is asked for the page makes it by itself, and logs in', { tag: '@phone' }, async ({
  page,
}) => {
  const tickets: (string | undefined)[] = [];
  await page.route('**/api/authenticate/login', async (route) => {
    tickets.push(route.request().headers()['x-bot-check']);
    const message = 'We need to check that a person is asking. Please try again in a moment';
    const needed = { status: 'error', message, botCheck: { scope: 'login', price: 2 } };
    if (tickets.length === 1) await route.fulfill({ status: 400, json: needed });
    else await route.continue();
  });
  const challenge = page.waitForRequest('**/api/bot-check/challenge?*');
  await page.goto('/login?next=/profile');
  await logIn(page);
  expect(new URL((await challenge).url()).searchParams.get('price')).toBe('2');
  await page.waitForURL('/profile');
  expect(tickets).toEqual([undefined, expect.stringMatching(/^[\w-]{43}$/)]);
});

test('a page for the signed in leads to the login and, by the keyboard alone, back to itself', {
  tag: '@desktop',
}, async ({ page }) => {
  await page.goto('/profile?from=mail');
  await expect(page).toHaveURL('/login?next=%2Fprofile%3Ffrom%3Dmail');
  await page.getByLabel('Email address').focus();
  await page.keyboard.type(demo().email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(demo().password);
  await page.keyboard.press('Enter');
  await page.waitForURL('/profile?from=mail');
});

test('a login leads to no other site, and its session is stored in the browser or in the tab alone', {
  tag: '@phone',
}, async ({ page }) => {
  const where = () =>
    page.evaluate(() =>
      [localStorage, sessionStorage].map((storage) => storage.getItem('ute.session') !== null),
    );
  await page.goto('/login?next=//evil.example/profile');
  await logIn(page);
  await page.waitForURL('/');
  expect(await where()).toEqual([true, false]);
  await page.goto('/login');
  await page.getByRole('checkbox', { name: 'Keep me signed in' }).uncheck();
  await logIn(page);
  await page.waitForURL('/');
  expect(await where()).toEqual([false, true]);
});

test('a dead session is a timed-out one', { tag: '@phone' }, async ({ page }) => {
  await logInByApi(page, demo());
  // Before the page's own scripts.
  await page.addInitScript(() => {
    const session = localStorage.getItem('ute.session');
    if (session)
      localStorage.setItem('ute.session', JSON.stringify({ ...JSON.parse(session), token: 'dead' }));
  });
  await page.goto('/profile');
  await expect(page).toHaveURL('/login?error=session-timed-out&next=%2Fprofile');
  await expect(page.getByRole('alert')).toHaveText('Session timed out');
  expect(await page.evaluate(() => localStorage.getItem('ute.session'))).toBeNull();
});

test('logging out shows Please wait, revokes the token, and the other tab leaves too', {
  tag: '@desktop',
}, async ({ page, context, request }) => {
  await signIn(page, '/profile');
  const token = await page.evaluate(() => JSON.parse(localStorage.getItem('ute.session') ?? '{}').token);
  const other = await context.newPage();
  await other.goto('/profile');
  await expect(other.getByRole('heading', { name: 'Business Profile' })).toBeVisible();
  const held = Promise.withResolvers<void>();
  await page.route('**/api/authenticate/logout', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto('/logout');
  await expect(page.getByRole('status')).toHaveText('Please wait');
  held.resolve();
  await page.waitForURL('/login');
  await expect(other).toHaveURL(/\/login\?error=/);
  const replay = await request.get('/api/authenticate', { headers: { authorization: `Bearer ${token}` } });
  expect(replay.status()).toBe(403);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Login to Ute' })).toBeVisible();
  const left = () => [...Object.keys(localStorage), ...Object.keys(sessionStorage)];
  expect((await page.evaluate(left)).filter((key) => key.startsWith('ute.'))).toEqual([]);
});

test('a tab that holds the session for itself leaves with the others', { tag: '@desktop' }, async ({
  page,
}) => {
  await page.goto('/login');
  await page.getByRole('checkbox', { name: 'Keep me signed in' }).uncheck();
  await logIn(page);
  await page.waitForURL('/');
  const opened = page.waitForEvent('popup');
  await page.evaluate(() => window.open('/profile'));
  const other = await opened;
  await expect(other.getByRole('heading', { name: 'Business Profile' })).toBeVisible();
  await page.goto('/logout');
  await expect(other).toHaveURL(/\/login\?error=/);
  await expect(other.getByRole('alert')).toHaveText('You were logged out in another tab');
});

test('a page that comes back from the back/forward cache asks who is signed in now', {
  tag: '@phone',
}, async ({ page }) => {
  await signIn(page, '/profile');
  await expect(page.getByRole('heading', { name: 'Business Profile' })).toBeVisible();
  await page.evaluate(() => {
    localStorage.removeItem('ute.session');
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  });
  await expect(page).toHaveURL(/\/login\?error=signed-out-elsewhere/);
});

test('a token without its session gets the profile', { tag: '@desktop' }, async ({ page }) => {
  await logInByApi(page, demo());
  await page.addInitScript(() => {
    const { token, rememberMe } = JSON.parse(localStorage.getItem('ute.session') ?? '{}');
    localStorage.setItem('ute.session', JSON.stringify({ token, rememberMe }));
  });
  const profile = page.waitForResponse('**/api/authenticate');
  await page.goto('/jobs/all');
  expect((await profile).status()).toBe(200);
});

import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { demo, logIn, signIn } from '#tests/support/browser.ts';

test.describe('the login form', () => {
  test.beforeEach(({ page }) => page.goto('/login'));

  test('has its fields, with Keep me signed in ticked', async ({ page }) => {
    await expect(page.getByRole('heading', { name: 'Login to Ute' })).toBeVisible();
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
  });

  test('enables Login only with a valid email and a password', async ({ page }) => {
    const login = page.getByRole('button', { name: 'Login' });
    await page.getByLabel('Password').fill('x');
    for (const email of ['dave', 'dave@', 'dave@acme', '@acme.example', 'dave acme@acme.example']) {
      await page.getByLabel('Email address').fill(email);
      await expect(login).toBeDisabled();
    }
    await page.getByLabel('Email address').fill(' Dave@Acme.Example ');
    await expect(login).toBeEnabled();
    await page.getByLabel('Password').fill('');
    await expect(login).toBeDisabled();
  });

  test('shows and hides the password by a word', async ({ page }) => {
    const password = page.getByLabel('Password');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await expect(password).toHaveAttribute('type', 'text');
    await page.getByRole('button', { name: 'Hide', exact: true }).click();
    await expect(password).toHaveAttribute('type', 'password');
  });

  test('is disabled while the request is in flight, and sends it once', async ({ page }) => {
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
    await expect(page.getByRole('alert')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Login' })).toBeEnabled();
    expect(requests).toBe(1);
  });

  test('says why a login failed, and keeps what was typed', async ({ page }) => {
    await logIn(page, { ...demo(), password: 'wrong password' });
    await expect(page.getByRole('alert')).toContainText('Error logging on');
    await expect(page.getByRole('alert')).toContainText('Invalid credentials');
    await expect(page.getByLabel('Email address')).toHaveValue(demo().email);
    await expect(page.getByLabel('Password')).toBeFocused();
  });

  test('works with the keyboard alone', async ({ page }) => {
    await page.getByLabel('Email address').focus();
    await page.keyboard.type(demo().email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(demo().password);
    await page.keyboard.press('Enter');
    await page.waitForURL('/');
  });
});

test('a page for the signed in leads to the login and back to itself', async ({ page }) => {
  await page.goto('/profile?from=mail');
  await expect(page).toHaveURL('/login?next=%2Fprofile%3Ffrom%3Dmail');
  await logIn(page);
  await page.waitForURL('/profile?from=mail');
});

test('a login never leads to another site', async ({ page }) => {
  await page.goto('/login?next=//evil.example/profile');
  await logIn(page);
  await page.waitForURL('/');
});

test('the session is kept in the browser, or in the tab alone', async ({ page }) => {
  const where = () =>
    page.evaluate(() =>
      [localStorage, sessionStorage].map((storage) => storage.getItem('ute.session') !== null),
    );
  await page.goto('/login');
  await logIn(page);
  await page.waitForURL('/');
  expect(await where()).toEqual([true, false]);
  await page.goto('/login');
  await page.getByRole('checkbox', { name: 'Keep me signed in' }).uncheck();
  await logIn(page);
  await page.waitForURL('/');
  expect(await where()).toEqual([false, true]);
});

test.describe('the reason in the address', () => {
  test('is shown when it is a known one', async ({ page }) => {
    await page.goto('/login?error=session-timed-out');
    await expect(page.getByRole('alert')).toHaveText('Session timed out');
  });

  for (const error of ['Call 1900 123 456', '<img src=x onerror=alert(1)>', '__proto__']) {
    test(`is not shown when it is ${error}`, async ({ page }) => {
      await page.goto(`/login?error=${encodeURIComponent(error)}`);
      await expect(page.getByRole('heading', { name: 'Login to Ute' })).toBeVisible();
      await expect(page.getByRole('alert')).toBeHidden();
      expect(await page.content()).not.toContain(error);
    });
  }
});

test('a dead session is a timed-out one', async ({ page }) => {
  await signIn(page, '/profile');
  // Before the page's own scripts: what the open page still writes cannot bring the token back.
  await page.addInitScript(() => {
    const session = localStorage.getItem('ute.session');
    if (session)
      localStorage.setItem('ute.session', JSON.stringify({ ...JSON.parse(session), token: 'dead' }));
  });
  await page.reload();
  await expect(page).toHaveURL('/login?error=session-timed-out&next=%2Fprofile');
  await expect(page.getByRole('alert')).toHaveText('Session timed out');
  expect(await page.evaluate(() => localStorage.getItem('ute.session'))).toBeNull();
});

test('logging out revokes the token, and the other tab leaves too', async ({ page, context, request }) => {
  await signIn(page, '/profile');
  const token = await page.evaluate(() => JSON.parse(localStorage.getItem('ute.session') ?? '{}').token);
  const other = await context.newPage();
  await other.goto('/profile');
  await page.goto('/logout');
  await page.waitForURL('/login');
  await expect(other).toHaveURL(/\/login\?error=/, { timeout: 10_000 });
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
  await expect(other).toHaveURL(/\/login\?error=/, { timeout: 10_000 });
  await expect(other.getByRole('alert')).toHaveText('You were logged out in another tab');
});

test('a page that comes back from the back/forward cache asks who is signed in now', {
  tag: '@phone',
}, async ({ page }) => {
  await signIn(page, '/profile');
  await page.evaluate(() => {
    localStorage.removeItem('ute.session');
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  });
  await expect(page).toHaveURL(/\/login\?error=signed-out-elsewhere/);
});

test('logging out says Please wait while it works', async ({ page }) => {
  await signIn(page, '/profile');
  const held = Promise.withResolvers<void>();
  await page.route('**/api/authenticate/logout', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto('/logout');
  await expect(page.getByRole('status')).toHaveText('Please wait');
  held.resolve();
  await page.waitForURL('/login');
});

test('a token without its session gets the profile', async ({ page }) => {
  await signIn(page, '/profile');
  await page.addInitScript(() => {
    const { token, rememberMe } = JSON.parse(localStorage.getItem('ute.session') ?? '{}');
    localStorage.setItem('ute.session', JSON.stringify({ token, rememberMe }));
  });
  const profile = page.waitForResponse('**/api/authenticate');
  await page.goto('/jobs/all');
  expect((await profile).status()).toBe(200);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing on the login in ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto('/login?error=session-timed-out');
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  });
}

import { type Browser, expect, type Locator, type Page } from '@playwright/test';

const from = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is set by the global setup of the browser tests`);
  return value;
};

/** Signs the demo tradie in through the login page; ends on the dashboard. */
export async function signIn(page: Page): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email address').fill(from('UTE_DEMO_EMAIL'));
  await page.getByLabel('Password', { exact: true }).fill(from('UTE_DEMO_PASSWORD'));
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByRole('heading', { name: 'Your jobs' })).toBeVisible();
}

/** The address of the demo business's public form. */
export const publicForm = (): string => from('UTE_PUBLIC_FORM');

/** A customer nobody else in the run is. */
export function aCustomer(title: string) {
  const unique = crypto.randomUUID().slice(0, 8);
  return {
    title: `${title} ${unique}`,
    address: '14 Blyth St, Brunswick VIC 3056',
    name: 'Aroha Tāwhiri',
    phone: '0491 570 156',
    email: `aroha.${unique}@example.com`,
  };
}
export type Customer = ReturnType<typeof aCustomer>;

/** Fills in what the public form asks of everyone. */
export async function fillRequest(page: Page, customer: Customer): Promise<void> {
  await page.getByLabel('In a few words').fill(customer.title);
  await page.getByLabel('Job address').fill(customer.address);
  await page.getByLabel('Full name').fill(customer.name);
  await page.getByLabel('Phone number').fill(customer.phone);
  await page.getByLabel('Email address').fill(customer.email);
}

/** Sends a filled form and waits for the page that says so. */
export async function sendRequest(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Send to/ }).click();
  await expect(page.getByRole('heading', { name: 'Your reference' })).toBeVisible();
}

/** A customer's whole visit. */
export async function requestJob(page: Page, customer: Customer): Promise<void> {
  await page.goto(publicForm());
  await fillRequest(page, customer);
  await sendRequest(page);
}

/** Opens a list as the signed-in tradie. */
export async function openList(page: Page, view: string): Promise<void> {
  await signIn(page);
  await page.goto(`/jobs/${view}?view=${view}`);
  await expect(page.getByRole('article').first()).toBeVisible();
}

/** A job that nobody else in the run touches, and its card in the New list. */
export async function newJob(
  page: Page,
  browser: Browser,
  title: string,
): Promise<{ customer: Customer; card: Locator }> {
  const customer = aCustomer(title);
  const visitor = await browser.newContext();
  await requestJob(await visitor.newPage(), customer);
  await visitor.close();
  await openList(page, 'new');
  return { customer, card: page.getByRole('article', { name: customer.title }) };
}

import { expect, type Locator, type Page } from '@playwright/test';
import { messageTo } from './browser-outbox.ts';

/** What a person does on a phone: each tap, and each field typed in one go, counts once. */
export type Hands = Readonly<{
  tap(target: Locator): Promise<void>;
  /** Into the field that has the focus, or that a tap brings it to. */
  type(target: Locator, text: string): Promise<void>;
  count(): number;
}>;

export function handsOf(): Hands {
  let count = 0;
  return {
    async tap(target) {
      await target.tap();
      count += 1;
    },
    async type(target, text) {
      if (!(await target.evaluate((element) => element === document.activeElement))) {
        await target.tap();
        count += 1;
      }
      await target.pressSequentially(text);
      count += 1;
    },
    count: () => count,
  };
}

/** An applicant that no other test of the run uses. */
export function aTradie(region: 'au' | 'nz') {
  const unique = crypto.randomUUID();
  const digits = String(Number.parseInt(unique.slice(0, 6), 16) % 1_000_000).padStart(6, '0');
  return {
    email: `tradie.${unique.slice(0, 8)}@example.com`,
    phone: region === 'au' ? `0490${digits}` : `0212${digits}`,
    e164: region === 'au' ? `+61490${digits}` : `+64212${digits}`,
    password: `Tray-and-${unique.slice(0, 8)}-Aa1`,
  };
}
export type Tradie = ReturnType<typeof aTradie>;

export const nextButton = (page: Page): Locator => page.getByRole('button', { name: 'Next' });
export const backButton = (page: Page): Locator => page.getByRole('button', { name: 'Back', exact: true });
export const codeField = (page: Page): Locator => page.getByLabel('Code', { exact: true });
export const heading = (page: Page, name: string): Locator =>
  page.getByRole('heading', { level: 1, name, exact: true });

/** Opens the wizard as a new applicant and waits until the bot check is solved and it shows. */
export async function openWizard(page: Page, query = ''): Promise<void> {
  await page.goto(`/register${query}`);
  await expect(heading(page, 'Where are you based?')).toBeVisible();
}

/** The newest code that was sent to a mobile. */
export async function codeSentTo(page: Page, e164: string): Promise<string> {
  const { text } = await messageTo(page, e164, 'is your Ute code');
  return /^(\d{6}) /.exec(text)?.[1] ?? '';
}

import { expect, type Page } from '@playwright/test';
import { type ConfigData, HtmlValidate, StaticConfigLoader } from 'html-validate';

/** Pages that a visitor opens, without the wizard's later steps and what only a link of a message opens. */
export const visitorPages: readonly string[] = [
  ...['/login', '/forgot-password', '/reset-password?t=nothing', '/book-demo', '/register/tradie'],
  ...['/terms', '/privacy', '/offline', '/no/such/page'],
  ...['/answer/nonsense', '/not-needed/nonsense', '/unsubscribe/nonsense', '/welcome/nonsense'],
  '/your-details/nonsense',
];

/** A job that no business has. */
const unknownJob = '/jobs/details/0198c0de-0000-7000-8000-000000000000';

/** Pages that a tradie opens, with each panel of the settings; the page of a job is the test's own. */
export const tradiePages: readonly string[] = [
  ...['/', '/jobs/today?view=today', '/jobs/new?view=new', '/jobs/in-progress?view=in-progress'],
  ...['/jobs/all?view=all', '/jobs/all?view=all&search=nothing+like+it', '/jobs/add', unknownJob],
  ...['/profile', '/profile/brand', '/profile/intro', '/profile/form', '/chatbot'],
  ...['look', 'business-details', 'enquiry-form', 'notifications', 'security', 'proof'].map(
    (panel) => `/profile?panel=${panel}`,
  ),
];

/** Opens a page and waits until its islands have started and nothing of it is a placeholder. */
export async function openWhole(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  await expect(page.locator('main :is(h1, h2)').first()).toBeAttached();
  await expect(page.locator('.sk').filter({ visible: true })).toHaveCount(0);
  if (path.includes('panel='))
    await expect(page.getByRole('dialog').getByRole('heading').first()).toBeVisible();
}

/** The recommended rules. Each that is off, and why. */
const config: ConfigData = {
  root: true,
  extends: ['html-validate:recommended'],
  rules: {
    // How React writes what is the same page: the case of names, ends and values that may be left out.
    ...{
      'attr-case': 'off',
      'void-style': 'off',
      'attribute-boolean-style': 'off',
      'attribute-empty-style': 'off',
    },
    // A label that holds its field may name it besides.
    'no-redundant-for': 'off',
    // React's ids begin with an underscore, those of a question with its kind and a dot; HTML forbids white space alone.
    'valid-id': ['error', { relaxed: true }],
    // A whole address is typed on one line, and browsers fill it in there.
    'valid-autocomplete': 'off',
    // A text field is one without saying so.
    'no-implicit-input-type': 'off',
    // The one header, main and footer of a page need no names to be told apart; axe asks for names where there are two.
    'unique-landmark': 'off',
    // A search is sent by Enter, and as it is typed.
    'wcag/h32': 'off',
    // A fieldset that only turns a form off while it is sent groups nothing; axe asks for the names of groups.
    'wcag/h71': 'off',
    // A phone number is shown as it was typed.
    'tel-non-breaking': 'off',
    // The statuses of a job are a combobox with colours, a sheet's part has a role where its element is not free; axe judges both.
    'prefer-native-element': 'off',
  },
};

const validator = new HtmlValidate(new StaticConfigLoader(config));

/**
 * What is wrong with a page, in words with the element; one line each. What a `<template>` holds is no part of the page yet,
 * the style before
 * the first island is Astro's own, and an empty `aria-activedescendant`, which the standard has for none, is downshift's.
 */
export async function htmlFaults(html: string): Promise<string[]> {
  const page = html
    .replaceAll(/<template[\s>].*?<\/template>/gs, '')
    .replaceAll(/<style>astro-island.*?<\/style>/gs, '')
    .replaceAll(' aria-activedescendant=""', '');
  const { results } = await validator.validateString(page);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} at ${selector}`),
  );
}

import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

/** First the one without windows: the tests show none, and it takes half the processor time. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
];
const macApps = ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);

/** The browser for the tests: `CHROMIUM_PATH`, else Playwright's own, else one that the machine has; null without any. */
export function findChromium(): string | null {
  const named = process.env.CHROMIUM_PATH;
  if (named) return existsSync(named) ? named : null;
  if (existsSync(chromium.executablePath())) return chromium.executablePath();
  return (
    names.map((name) => Bun.which(name)).find(Boolean) ?? macApps.find((path) => existsSync(path)) ?? null
  );
}

/** The one command that brings a Chromium to this machine. */
export function howToGetChromium(): string {
  return `${Bun.which('npx') ? 'npx' : 'bunx'} playwright install --with-deps chromium`;
}

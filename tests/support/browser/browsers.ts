import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { type Browser, launch } from 'puppeteer-core';

/** First the one without windows: the tests show none, and it takes half the processor time. */
const chromiumNames = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
];
const macChromiums = ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);

/** The browser for the tests: `CHROMIUM_PATH`, else Playwright's own, else one that the machine has; null without any. */
export function findChromium(): string | null {
  const named = process.env.CHROMIUM_PATH;
  if (named) return existsSync(named) ? named : null;
  if (existsSync(chromium.executablePath())) return chromium.executablePath();
  return (
    chromiumNames.map((name) => Bun.which(name)).find(Boolean) ??
    macChromiums.find((path) => existsSync(path)) ??
    null
  );
}

/** The one command that brings a Chromium to this machine. */
export function howToGetChromium(): string {
  return `${Bun.which('npx') ? 'npx' : 'bunx'} playwright install --with-deps chromium`;
}

const firefoxNames = ['firefox-esr', 'firefox'];
const macFirefox = '/Applications/Firefox.app/Contents/MacOS/firefox';

/** The Firefox for the tests: `FIREFOX_PATH`, else one that the machine has; null without any. */
export function findFirefox(): string | null {
  const named = process.env.FIREFOX_PATH;
  if (named) return existsSync(named) ? named : null;
  return (
    firefoxNames.map((name) => Bun.which(name)).find(Boolean) ?? (existsSync(macFirefox) ? macFirefox : null)
  );
}

/** The one command that brings a Firefox to this machine. */
export function howToGetFirefox(): string {
  return Bun.which('apt-get') ? 'sudo apt-get install -y firefox-esr' : 'brew install --cask firefox';
}

/**
 * A Firefox without windows, driven by WebDriver BiDi, with a profile that goes as it closes. Throws where there is none.
 * Playwright drives a Firefox of its own alone, which no package of a distribution brings.
 */
export async function openFirefox(): Promise<Browser> {
  const executablePath = findFirefox();
  if (!executablePath) throw new Error(`No Firefox found. Get one: ${howToGetFirefox()}`);
  return launch({ browser: 'firefox', executablePath, headless: true });
}

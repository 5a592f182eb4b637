import { existsSync } from 'node:fs';
import { type Browser, launch } from 'puppeteer-core';

const names = ['firefox-esr', 'firefox'];
const macApp = '/Applications/Firefox.app/Contents/MacOS/firefox';

/** The Firefox for the tests: `FIREFOX_PATH`, else one that the machine has; null without any. */
export function findFirefox(): string | null {
  const named = process.env.FIREFOX_PATH;
  if (named) return existsSync(named) ? named : null;
  return names.map((name) => Bun.which(name)).find(Boolean) ?? (existsSync(macApp) ? macApp : null);
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

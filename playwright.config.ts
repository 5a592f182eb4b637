import { defineConfig, devices } from '@playwright/test';
import { findChromium, findFirefox, howToGetChromium } from './tests/support/browser/browsers.ts';
import { compileForShortLives, keepTemporaryFilesInMemory } from './tests/support/run/stages.ts';

keepTemporaryFilesInMemory();
compileForShortLives();
// A worker's tests go on in one window, whose cookies, storage, pages and routes are begun anew for each: a window of its own costs
// a test a third of its processor time. The network's state is the test's to put back.
process.env.PW_TEST_REUSE_CONTEXT = '1';

const executablePath = findChromium();
if (!executablePath) throw new Error(`No Chromium found. Get one: ${howToGetChromium()}`);

export default defineConfig({
  testDir: 'tests',
  testMatch: '{browser,journeys}/**/*.e2e.ts',
  globalSetup: './tests/support/processes/processes.ts',
  forbidOnly: Boolean(process.env.CI),
  fullyParallel: true,
  // One more than the two cores that are counted on: a test waits for its page a tenth of its time.
  workers: 3,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  outputDir: 'test-results',
  use: {
    // Set by the global setup before any worker reads this file.
    baseURL: process.env.UTE_URL ?? '',
    // Without a graphics card, and quiet: containers have neither the one nor the way out. A page of a test lives a second
    // or two: compiling its scripts again for speed costs more than it gives, a tenth of the renderers' time.
    launchOptions: {
      executablePath,
      args: ['--disable-gpu', '--disable-background-networking', '--js-flags=--no-opt --no-maglev'],
    },
    // What a worker fetches escapes a test's routes: the tests of dead spots let it in themselves.
    serviceWorkers: 'block',
    locale: 'en-AU',
    timezoneId: 'America/St_Johns',
    // A trace of every test would cost the suite a third of its time: `--trace on` makes one of the test in question. The page of a
    // failed test is pictured by the tests' own `page`.
  },
  projects: [
    // Few machines have one: the run says when it is missing. The longest test goes first, or it runs alone at the end.
    ...(findFirefox() ? [{ name: 'firefox', grep: /@firefox/ }] : []),
    {
      name: 'phone',
      grepInvert: /@desktop|@firefox/,
      use: { ...devices['Pixel 7'], viewport: { width: 390, height: 844 }, deviceScaleFactor: 1 },
    },
    { name: 'desktop', grepInvert: /@phone|@firefox/, use: { viewport: { width: 1280, height: 800 } } },
  ],
});

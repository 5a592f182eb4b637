import { type Browser, chromium, type Page } from '@playwright/test';
import { type Figure, type Item, kilobytes } from '#tests/bench/figure.ts';
import { prepared, product, type SignIn } from '#tests/bench/prepared.ts';
import { findChromium, howToGetChromium } from '#tests/support/browser/browsers.ts';

/** How long after its load event a page is looked at, in milliseconds. */
const SETTLED = 3_000;

/** Bytes over the wire of a first visit, by kind: compressed as our server would, fonts as they are. */
type Weight = Record<'script' | 'stylesheet' | 'document' | 'image' | 'font', number>;

/** What Chromium loads for a first visit, with nothing in its cache. */
export const pageWeight: Item = {
  name: 'page-weight',
  about: 'bytes of a first visit to the public page and to the dashboard, and layout shift',
  async measure(log): Promise<Figure[]> {
    const executablePath = findChromium();
    if (!executablePath) throw new Error(`No Chromium found. Get one: ${howToGetChromium()}`);
    const ute = await product('main');
    const browser = await chromium.launch({ executablePath });
    try {
      const form = await firstVisit(browser, `${ute.url}/t/${prepared('main').slug}`);
      const dashboard = await signedInVisit(browser, ute.url, prepared('main'));
      log(JSON.stringify({ form, dashboard }));
      return [...formFigures(form.weight), ...dashboardFigures(dashboard)];
    } finally {
      await browser.close();
      await ute.stop();
    }
  },
};

type Visit = Readonly<{ weight: Weight; shift: number }>;

function formFigures({ script, stylesheet, document, image, font }: Weight): Figure[] {
  const all = script + stylesheet + document + image;
  return [
    bytes('/t/{slug}, JavaScript gz', script, 12),
    bytes('/t/{slug}, CSS gz', stylesheet, 8),
    bytes('/t/{slug}, all gz without fonts', all, 30),
    bytes('/t/{slug}, fonts', font, 52),
  ];
}

function dashboardFigures({ weight, shift }: Visit): Figure[] {
  return [
    bytes('dashboard, first visit, JavaScript gz', weight.script, 110),
    { what: 'dashboard, layout shift', value: shift.toFixed(3), budget: '0', met: shift === 0 },
  ];
}

function bytes(what: string, amount: number, most: number): Figure {
  return { what, value: kilobytes(amount), budget: `≤ ${most} kB`, met: amount <= most * 1_000 };
}

async function firstVisit(browser: Browser, url: string, storageState?: StorageState): Promise<Visit> {
  const context = await browser.newContext(storageState ? { storageState } : {});
  const page = await context.newPage();
  const weight = weigh(page);
  await page.addInitScript(observeShift);
  await page.goto(url, { waitUntil: 'load' });
  // The dashboard keeps a stream open, so the network is never idle: what a first visit loads is there by then.
  await page.waitForTimeout(SETTLED);
  const shift = await page.evaluate(() => (globalThis as unknown as { shift: number }).shift);
  const measured = { weight: await weight(), shift };
  await context.close();
  return measured;
}

type StorageState = Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['storageState']>>;

/** The session of a sign-in goes on in a browser that has loaded nothing yet. */
async function signedInVisit(browser: Browser, url: string, { email, password }: SignIn): Promise<Visit> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${url}/login`);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.getByRole('heading', { name: 'Your jobs' }).waitFor();
  const session = await context.storageState();
  await context.close();
  return firstVisit(browser, `${url}/`, session);
}

function weigh(page: Page): () => Promise<Weight> {
  const loaded: Promise<readonly [string, Buffer] | null>[] = [];
  page.on('requestfinished', (request) => {
    const body = request.response().then((response) => response?.body() ?? null);
    loaded.push(body.then((bytes) => bytes && ([request.resourceType(), bytes] as const)).catch(() => null));
  });
  return async () => {
    const weight: Weight = { script: 0, stylesheet: 0, document: 0, image: 0, font: 0 };
    for (const entry of await Promise.all(loaded)) {
      if (!entry) continue;
      const [kind, body] = entry;
      if (!Object.hasOwn(weight, kind)) continue;
      weight[kind as keyof Weight] +=
        kind === 'font' ? body.length : Bun.gzipSync(new Uint8Array(body)).length;
    }
    return weight;
  };
}

function observeShift(): void {
  const seen = globalThis as unknown as { shift: number };
  seen.shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.shift += (entry as unknown as { value: number }).value;
  }).observe({ type: 'layout-shift', buffered: true });
}

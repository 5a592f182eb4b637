import { beforeEach, expect, test, vi } from 'vitest';
import {
  answerFile,
  answerPage,
  type Browser,
  cacheRelease,
  dropOthers,
  type Release,
} from './shell-cache.ts';

const release: Release = {
  version: 'v2',
  files: ['/', '/jobs/today', '/jobs/details/_', '/offline', '/icon.svg', '/_astro/a.123.js'],
};
const origin = 'https://ute.test';
const asked = (path: string) => new Request(origin + path);

let stored: Map<string, Map<string, string>>;
const network = vi.fn<(request: Request) => Promise<Response>>();
let pause: Browser['pause'];

const browser: Browser = {
  caches: {
    keys: async () => [...stored.keys()],
    delete: async (name) => stored.delete(name),
    open: async (name) => {
      const held = stored.get(name) ?? new Map<string, string>();
      stored.set(name, held);
      return {
        match: async (path: string) => (held.has(path) ? new Response(held.get(path)) : undefined),
        addAll: async (requests: Request[]) => {
          for (const { url } of requests) held.set(new URL(url).pathname, `cached ${new URL(url).pathname}`);
        },
      } as unknown as Cache;
    },
  },
  fetch: network,
  pause: (milliseconds) => pause(milliseconds),
};

const none = Promise.resolve(undefined);
const page = async (path: string) => (await answerPage(browser, release, asked(path), none)).text();
const file = async (path: string) => (await answerFile(browser, release, asked(path)))?.text();

beforeEach(async () => {
  vi.stubGlobal('Request', RequestOfThePage);
  stored = new Map();
  pause = () => new Promise(() => {});
  network.mockReset().mockRejectedValue(new TypeError('Failed to fetch'));
  await cacheRelease(browser, release);
});

/** In a browser a path alone is of the page's own origin. */
class RequestOfThePage extends Request {
  constructor(address: string, options?: RequestInit) {
    super(new URL(address, origin), options);
  }
}

test('a new release is seen at once, whatever is cached of the one before', async () => {
  network.mockResolvedValue(new Response('new release'));
  expect(await page('/jobs/today')).toBe('new release');
  const preloaded = Promise.resolve(new Response('preloaded'));
  expect(await (await answerPage(browser, release, asked('/'), preloaded)).text()).toBe('preloaded');
});

test('without a network a page is the one that was cached, the details of any job the same', async () => {
  expect(await page('/jobs/today?view=today')).toBe('cached /jobs/today');
  expect(await page('/jobs/details/0199')).toBe('cached /jobs/details/_');
  expect(await page('/profile')).toBe('cached /offline');
});

test('a network that does not answer in time is no network, unless nothing is cached', async () => {
  network.mockReturnValue(new Promise((resolve) => setTimeout(() => resolve(new Response('late')), 10)));
  pause = () => Promise.resolve();
  expect(await page('/')).toBe('cached /');
  stored.clear();
  expect(await page('/')).toBe('late');
});

test('files by their hash come from the cache, others only where the network fails', async () => {
  expect(await file('/_astro/a.123.js')).toBe('cached /_astro/a.123.js');
  expect(await file('/icon.svg')).toBe('cached /icon.svg');
  network.mockResolvedValue(new Response('fresh icon'));
  expect(await file('/icon.svg')).toBe('fresh icon');
  expect(network).toHaveBeenCalledTimes(2);
});

test('what the API answers, and files of another release, pass by', async () => {
  expect(await file('/api/jobs')).toBeUndefined();
  expect(await file('/_astro/b.456.js')).toBeUndefined();
});

test('the caches of earlier releases are removed, those of others are not', async () => {
  for (const name of ['ute.shell.v1', 'other']) stored.set(name, new Map());
  await dropOthers(browser, release);
  expect([...stored.keys()].sort()).toEqual(['other', 'ute.shell.v2']);
});

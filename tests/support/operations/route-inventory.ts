import { readdirSync, readFileSync } from 'node:fs';
import { type ApiOperation, operationTexts } from '#api/http/openapi/openapi.ts';
import { developmentPages, onDemandPages } from '#api/pages/pages.ts';

/**
 * Every route of the product, of the API and of the site. A route that is not here does not exist: what a dependency, an
 * integration or a change adds fails `tests/launch/route-inventory.test.ts` until it is meant: named here, below
 * `/api` in `api/http/openapi`, or a page of our own with one address, which its file names.
 */

const forBrowsers = [
  'POST /answer/:token',
  'GET /logos/:key',
  'HEAD /logos/:key',
  'POST /not-needed/:token',
  'POST /t/:slug',
  'POST /unsubscribe/:token',
  'POST /welcome/:token',
  'POST /your-details/:token',
] as const;

/** What the server answers by itself, method and template: what the description of the API words, and what is for browsers. */
export const operations: readonly (ApiOperation | (typeof forBrowsers)[number])[] = [
  ...(Object.keys(operationTexts) as ApiOperation[]),
  ...forBrowsers,
].sort();

/** What it answers besides outside production. */
export const developmentOperations = [
  'GET /api/openapi',
  'GET /dev/outbox',
  'GET /dev/outbox/:id',
  'GET /dev/outbox/:id/html',
  'GET /dev/outbox/messages.json',
  'GET /dev/outbox/newest.json',
] as const;

export type Operation = (typeof operations)[number] | (typeof developmentOperations)[number];

const pages = new URL('../../../site/src/pages/', import.meta.url);

/** Our own pages with one address, which are made by the build. */
const pagesOfOneAddress = readdirSync(pages, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.astro') && !/\[|^(404|500)\./.test(file))
  .filter((file) => !/^export const prerender = false/m.test(readFileSync(new URL(file, pages), 'utf8')))
  .map((file) => `/${file.replace(/(^|\/)index\.astro$|\.astro$/, '')}`);

/** Pages that the build wrote into files: GET and HEAD. `_` stands for every name at its place. */
export const prerenderedPages: readonly string[] = [
  ...pagesOfOneAddress,
  ...['/jobs/all', '/jobs/in-progress'],
  ...['/jobs/details/_', '/jobs/details/_/as-at', '/jobs/details/_/record'],
  '/register/tradie',
  ...['bn', 'coverage', 'done', 'mobile', 'password', 'region', 'trades'].map(
    (stage) => `/register/tradie/${stage}`,
  ),
].sort();

/** Files beside the pages, apart from those below `/_astro`, which carry the hash of their content: GET and HEAD. */
export const siteFiles = [
  '/apple-touch-icon.png',
  '/icon-192.png',
  '/icon-512.png',
  '/icon-maskable.png',
  '/icon.svg',
  '/manifest.webmanifest',
  '/sw.js',
] as const;

/** Pages that Astro renders for each request: GET and HEAD. The server asks Astro for these alone, so its list is the inventory's. */
export const renderedPages = [...onDemandPages, ...developmentPages] as const;

/** Routes that Astro adds to a build unasked, in its own writing. None of them is answered. */
export const frameworkRoutes = ['/_image', '/_server-islands/[name]'] as const;

import { readdirSync, readFileSync } from 'node:fs';
import answers from '#api/http/openapi/answers.json' with { type: 'json' };
import { developmentPages, onDemandPages } from '#api/pages/pages.ts';
import { type Answer, apiClient } from '#tests/support/app/api-client.ts';
import { accountRecipes } from './account-recipes.ts';
import { businessRecipes } from './business-recipes.ts';
import { jobRecipes } from './job-recipes.ts';
import { recordRecipes, registrationRecipes } from './record-recipes.ts';
import { bearer, type Call, type Recipe, type World } from './world.ts';

/**
 * Every route of the product, of the API and of the site. A route that is not here does not exist: what a dependency, an
 * integration or a change adds fails `tests/launch/route-inventory.test.ts` until it is meant: named here, below
 * `/api` in `answers.json`, which `tests/openapi/write-answers.ts` writes, or a page of our own with one address, which its file names.
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

/** An operation of the API by method and template, such as `GET /api/jobs/:id`. */
type ApiOperation = keyof typeof answers.answers;

/** What the server answers by itself, method and template: what the types of the routes have, and what is for browsers. */
export const operations: readonly (ApiOperation | (typeof forBrowsers)[number])[] = [
  ...(Object.keys(answers.answers) as ApiOperation[]),
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
  '/favicon.ico',
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

/** How each operation of the inventory is called. One without a recipe does not compile, and fails the tests. */
export const recipes: Readonly<Record<Operation, Recipe>> = {
  ...accountRecipes,
  ...businessRecipes,
  ...jobRecipes,
  ...recordRecipes,
  ...registrationRecipes,
};

/** What is sent instead of what the call says. */
export type Spoiled = Readonly<{
  /** The bearer token; null sends none. Without it, acme's where the operation needs a session. */
  token?: string | null;
  /** Leaves out every header that proves something. */
  withoutProof?: boolean;
  headers?: Readonly<Record<string, string>>;
  body?: BodyInit;
  /** Added to the path as it is. */
  search?: string;
}>;

const proofs = ['authorization', 'x-rid', 'x-bot-check'];

/** Sends a call of an operation; of an endless answer only the head is read. */
export async function perform(
  world: World,
  operation: Operation,
  call: Call,
  spoiled: Spoiled = {},
): Promise<Answer> {
  const [method = '', template = ''] = operation.split(' ');
  const recipe: Recipe = recipes[operation];
  const { body = bodyOf(call) } = spoiled;
  const signedIn = recipe.access === 'session' ? bearer(world.acme.token) : {};
  const proven: Record<string, string> = { ...signedIn, ...call.headers };
  const given = spoiled.withoutProof ? without(proven, proofs) : proven;
  const token = spoiled.token ? bearer(spoiled.token) : {};
  const headers = {
    ...{ ...typeOf(call), ...(spoiled.token === null ? without(given, ['authorization']) : given), ...token },
    ...spoiled.headers,
  };
  const path = pathOf(template, call) + (spoiled.search ?? '');
  const client = apiClient(recipe.streams ? headOnly(world) : world);
  return client.send(method, path, { headers, ...(body === undefined ? {} : { body }) });
}

/** A call with another id in the place of the rival's. */
export function withId(call: Call, id: string): Call {
  const { foreignId, bytes, ...rest } = call;
  if (foreignId === undefined) throw new Error('the call names nothing of the rival');
  return JSON.parse(JSON.stringify(rest).replaceAll(foreignId, id));
}

function headOnly(world: World) {
  return {
    handle: async (request: Request) => {
      const answer = await world.handle(request);
      if (answer.status !== 200) return answer;
      await answer.body?.cancel();
      return new Response(null, answer);
    },
  };
}

function without(headers: Readonly<Record<string, string>>, names: readonly string[]) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

function pathOf(template: string, { params = {}, query = {} }: Call): string {
  const path = template.replace(/:([a-z]+)/gi, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${template}: no ${name}`);
    return value;
  });
  const text = new URLSearchParams(query).toString();
  return text === '' ? path : `${path}?${text}`;
}

function bodyOf({ json, form, bytes }: Call): BodyInit | undefined {
  if (json) return JSON.stringify(json);
  return form ? new URLSearchParams(form).toString() : bytes;
}

function typeOf({ json, form, bytes }: Call): Record<string, string> {
  if (json) return { 'content-type': 'application/json' };
  if (form) return { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
  return bytes ? { 'content-type': 'application/octet-stream' } : {};
}

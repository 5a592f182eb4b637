import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PageRenderer, StaticFile } from '#api/deps.ts';
import { acceptedEncodings, type Bytes, compress, isCompressible } from '#api/runtime/compression.ts';
import type { Config } from '#api/runtime/config/config.ts';
import { tileOrigin } from '#api/runtime/config/providers.ts';
import { readStaticFiles, sendFile } from './static-files.ts';

export type PagesOptions = Readonly<{
  /** The folder of the Astro build. */
  distDir: string;
  /** Scheme, host and port that browsers see: what a page believes it runs on, behind any proxy. */
  origin: string;
  /** What is added to a page's content policy, by its path. */
  providers?: (path: string) => ProviderSources;
  /** Whether the pages that only developers see are there. */
  development?: boolean;
  /** Where the operator is written to. */
  operatorEmail?: string | undefined;
}>;

/** The pages of a build: what renders them, whether a path is one of them, however it is asked for, and whether one is rendered anew. */
export type Pages = Readonly<{
  render: PageRenderer;
  has(path: string): boolean;
  renders(path: string): boolean;
}>;

/** What the build's server entry exports (site/adapter/server-entry.ts). */
type ServerEntry = {
  handle(
    request: Request,
    init: {
      clientAddress: string;
      locals: Record<string, unknown>;
      errorPage(url: string | URL): Promise<Response>;
    },
  ): Promise<Response | null>;
};

const notFoundPath = '/404';
const faultPath = '/500';
/**
 * Loads the built site and answers for its pages: prerendered files from memory, the listed pages on demand through Astro,
 * the not-found page with 404 and the fallback page with 500.
 * @throws where the site is not built.
 */
export async function createPages({
  distDir,
  origin,
  providers = () => ({}),
  development = false,
  operatorEmail,
}: PagesOptions): Promise<Pages> {
  const policies = await readPolicies(distDir, providers);
  const headersOf = (path: string): Record<string, string> => {
    const policy = policies.get(path);
    return policy ? { 'content-security-policy': policy } : {};
  };
  const [client, compressed] = [resolve(distDir, 'client'), resolve(distDir, 'compressed')];
  const files = await readStaticFiles(client, headersOf, compressed);
  const notFoundPage = take(files, notFoundPath);
  const faultPage = take(files, faultPath);
  const isOnDemand = isOneOf(development ? [...onDemandPages, ...developmentPages] : onDemandPages);
  const entry = await importServer(resolve(distDir, 'server'));

  async function onDemand(request: Request, url: URL, init: Parameters<PageRenderer>[1]): Promise<Response> {
    // Always a GET on the public origin: a form's body was read by its route, and Astro must not judge its origin anew.
    const page = new Request(new URL(url.pathname + url.search, origin), { headers: request.headers });
    const rendered = await entry.handle(page, {
      clientAddress: init.clientAddress,
      locals: { ...init.locals, ...(operatorEmail && { operatorEmail }) },
      errorPage: async (target) => {
        const fault = new URL(target, origin).pathname.startsWith(faultPath);
        return fault ? sendFile(faultPage, page, 500) : sendFile(notFoundPage, page, 404);
      },
    });
    if (!rendered || rendered.status === 404) return sendFile(notFoundPage, request, 404);
    if (rendered.status >= 500) return sendFile(faultPage, request, 500);
    return sendRendered(rendered, request, init.status, providers(url.pathname));
  }

  const render: PageRenderer = async (request, init) => {
    const url = new URL(request.url);
    const path = pathOf(url.pathname);
    const target = redirects.get(path);
    if (target) return new Response(null, { status: 302, headers: { location: target + url.search } });
    const file = fileFor(files, path);
    if (file) return sendFile(file, request);
    return isOnDemand(path) ? onDemand(request, url, init) : sendFile(notFoundPage, request, 404);
  };
  const has = (pathname: string) => {
    const path = pathOf(pathname);
    return redirects.has(path) || fileFor(files, path) !== undefined || isOnDemand(path);
  };
  const renders = (pathname: string) => isOnDemand(pathOf(pathname));
  return { render, has, renders };
}

/** Loads every module of the server now, not with the first request for its page: by then a newer build may have replaced it. */
async function importServer(folder: string): Promise<ServerEntry> {
  const load = (name: string) => import(pathToFileURL(join(folder, name)).href);
  const entry: ServerEntry = await load('entry.mjs');
  const names = await readdir(folder, { recursive: true });
  await Promise.all(names.filter((name) => name.endsWith('.mjs')).map(load));
  return entry;
}

/** A slash at the end changes nothing. */
function pathOf(pathname: string): string {
  return pathname.replace(/(.)\/$/, '$1');
}

/**
 * A file by its path, else the shell beside it: a page prerendered as `_` answers for every name in its folder, and one in a
 * folder `_` for every folder there.
 */
function fileFor(files: ReadonlyMap<string, StaticFile>, path: string): StaticFile | undefined {
  const shells = [path, path.replace(/\/[^/]+$/, '/_'), path.replace(/\/[^/]+(\/[^/]+)$/, '/_$1')];
  return shells.map((shell) => files.get(shell)).find((file) => file !== undefined);
}

async function sendRendered(
  rendered: Response,
  request: Request,
  status: number | undefined,
  providers: ProviderSources,
): Promise<Response> {
  const headers = new Headers(rendered.headers);
  const policy = headers.get('content-security-policy');
  if (policy) headers.set('content-security-policy', withProviders(policy, providers));
  if (headers.get('content-type') === 'text/html') headers.set('content-type', 'text/html; charset=utf-8');
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
  let bytes: Bytes = new Uint8Array(await rendered.arrayBuffer());
  if (isCompressible(headers.get('content-type') ?? '', bytes.length)) {
    headers.append('vary', 'accept-encoding');
    if (acceptedEncodings(request.headers.get('accept-encoding')).includes('gzip')) {
      bytes = await compress(bytes, 'gzip');
      headers.set('content-encoding', 'gzip');
    }
  }
  headers.set('content-length', String(bytes.length));
  const body = request.method === 'HEAD' || bytes.length === 0 ? null : bytes;
  return new Response(body, { status: status ?? rendered.status, headers });
}

/** The content policy of each prerendered page, as the build hashed it. */
async function readPolicies(
  distDir: string,
  providers: (path: string) => ProviderSources,
): Promise<Map<string, string>> {
  type Entry = { pathname: string; headers: { key: string; value: string }[] };
  let entries: Entry[];
  try {
    entries = JSON.parse(await readFile(join(distDir, '_headers.json'), 'utf8'));
  } catch (cause) {
    throw new Error('The site is not built yet: `bun run build` builds it', { cause });
  }
  const policies = new Map<string, string>();
  for (const { pathname, headers } of entries) {
    const policy = headers.find(({ key }) => key.toLowerCase() === 'content-security-policy')?.value;
    if (policy) policies.set(pathname.replace(/(.)\/$/, '$1'), withProviders(policy, providers(pathname)));
  }
  return policies;
}

/** An error page: for its own use, out of reach under its own path. */
function take(files: Map<string, StaticFile>, path: string): StaticFile {
  const file = files.get(path);
  if (!file) throw new Error(`The build has no page ${path}`);
  files.delete(path);
  return file;
}

/**
 * The pages that Astro renders for a request, as templates. Only these reach it: what a dependency or an integration adds
 * to the build (`/_image`, `/_server-islands/…`, `/_actions/…`) is not found, whatever it would answer.
 */
export const onDemandPages = [
  '/.well-known/security.txt',
  '/answer/:token',
  '/not-needed/:token',
  '/robots.txt',
  '/sitemap.xml',
  '/t/:slug',
  '/t/:slug/sent',
  '/unsubscribe/:token',
  '/welcome/:token',
  '/your-details/:token',
] as const;

/** Pages that Astro renders while developing alone: their routes hand over what they show. */
export const developmentPages = ['/dev/outbox', '/dev/outbox/:id'] as const;

/** Index paths of the specification that only lead on: from → to. */
const redirects: ReadonlyMap<string, string> = new Map([
  ['/jobs', '/jobs/all'],
  ['/register', '/register/tradie'],
  // Where password managers look for the form that changes a password.
  ['/.well-known/change-password', '/profile?panel=security'],
]);

/** Whether a path, as it was sent and without a slash at the end, is one of the templates. */
function isOneOf(templates: readonly string[]): (path: string) => boolean {
  const literals = templates.map((template) => template.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`^(?:${literals.join('|').replace(/:[a-z]+/g, '[^/]+')})$`);
  return (path) => pattern.test(path);
}

/** Origins of configured providers, by the CSP directive that must allow them; `without` are directives to leave out. */
type ProviderSources = Readonly<
  Partial<Record<`${string}-src`, readonly string[]>> & { without?: readonly string[] }
>;

/** Adds the providers' origins to a page's policy. A directive that the policy lacks starts from 'self'. */
export function withProviders(policy: string, { without = [], ...sources }: ProviderSources): string {
  const directives = policy
    .split(';')
    .map((directive) => directive.trim())
    .filter((directive) => directive !== '' && !without.includes(directive.split(' ', 1)[0] ?? ''));
  for (const [name, origins] of Object.entries(sources)) {
    if (!origins || origins.length === 0) continue;
    const at = directives.findIndex((directive) => directive.split(' ', 1)[0] === name);
    const current = directives[at] ?? `${name} 'self'`;
    directives.splice(at === -1 ? directives.length : at, 1, [current, ...origins].join(' '));
  }
  return directives.join('; ');
}

/** Where Turnstile's script and its frame come from, whatever address its answers are checked at. */
const turnstile = 'https://challenges.cloudflare.com';

/** Turnstile's script is another's, and changes without us: nothing says that it writes no text as a script's address. */
const trustedTypes = ['require-trusted-types-for', 'trusted-types'];

/** The pages that ask for a bot check, and those that draw a map: a page that comes to do so is named here too. */
const asksForBotCheck = /^\/(register|t|book-demo)(\/|$)/;
const drawsMap = /^\/register(\/|$)/;

/**
 * What the configured providers of this server need of a page's content policy, by the page's path. No other page may
 * load from them: least of all where a password is typed.
 */
export function providerSources({
  botCheck,
  tiles,
}: Pick<Config, 'botCheck' | 'tiles'>): (path: string) => ProviderSources {
  const ofMap: ProviderSources = tiles ? { 'img-src': [tileOrigin(tiles)] } : {};
  const ofBotCheck: ProviderSources =
    botCheck.provider === 'turnstile'
      ? { 'script-src': [turnstile], 'frame-src': [turnstile], without: trustedTypes }
      : {};
  return (path) => ({
    ...(drawsMap.test(path) ? ofMap : {}),
    ...(asksForBotCheck.test(path) ? ofBotCheck : {}),
  });
}

import { Elysia } from 'elysia';
import type { Clock, Deps, Traces } from '#api/deps.ts';
import { readBody } from '#api/http/body/body.ts';
import { assertAddress, assertPath, BODY_LIMIT, bodyRule } from '#api/http/body/body-rules.ts';
import { endUnreadBodies } from '#api/http/body/unread-bodies.ts';
import type { Uploads } from '#api/http/body/uploads.ts';
import type { Config } from '#api/runtime/config/config.ts';
import { badRequest, type Failure, httpErrorFor } from './answers.ts';
import { addressKey, clientAddress, warnOfProxies } from './client-address.ts';
import { localLimiter } from './limits.ts';
import { answeredAs, logFailure, logRequest } from './log.ts';
import { escapeHtml, plainPage, plainPageHeaders } from './plain-page.ts';
import { contextOf, openContext } from './request-context.ts';

/** Requests per client and minute in this process, before any route's own limit; pages that are in memory are not counted. */
const FLOOD = { name: 'flood', points: 1_200, seconds: 60 };

/** Who may send a long body to one route, decided before a byte of it is read. */
export type BodyGate = Readonly<{
  method: string;
  path: RegExp;
  /** By headers and path alone. Throws 403 without a session, 429 beyond a limit. */
  validate(request: Request): Promise<void>;
}>;

/**
 * What every request passes first and every answer gets: id, client address, security headers, flood limit,
 * the address and body checks, and the one error handler.
 */
export function edge(
  deps: Clock & Traces & Pick<Deps, 'config' | 'logger' | 'rendersPage'>,
  uploads: Uploads,
  gates: readonly BodyGate[] = [],
) {
  const always = securityHeaders(deps.config);
  const flood = localLimiter(deps, FLOOD);
  const warn = warnOfProxies(deps);
  const { environment, publicOrigin } = deps.config;
  /** While developing, the site answers under several names of this machine. */
  const ownOrigins = (url: URL) =>
    environment === 'production' ? [publicOrigin] : [publicOrigin, url.origin];
  return (
    new Elysia({ name: 'edge' })
      .wrap(endUnreadBodies(uploads.letGo))
      .onRequest(async ({ request, set, server }) => {
        const socket = server?.requestIP(request)?.address;
        const context = openContext(request, {
          id: deps.newId(),
          startedAt: performance.now(),
          ip: clientAddress(request.headers, socket, deps.config.trustedProxies),
        });
        deps.requestSpans?.began(request, context.id);
        warn(request.headers);
        Object.assign(set.headers, always, { 'x-request-id': context.id });
        const url = URL.parse(request.url);
        if (!url) throw badRequest('The address is malformed');
        const api = isApi(url.pathname);
        if (api) Object.assign(set.headers, apiHeaders);
        const costs = api || request.method !== 'GET' || deps.rendersPage?.(url.pathname);
        if (costs) await flood.consume(addressKey(context.ip));
        // A form that a page sends is answered by a page: its route holds it back.
        if (api && request.method !== 'GET') uploads.holdBack(request);
        if (api) assertAddress(url);
        // A page that is read says by itself that there is none.
        else if (request.method !== 'GET') {
          assertPath(url);
          if (!isOneClick(url.pathname)) assertOwnOrigin(request.headers, ownOrigins(url));
        }
        const isHere = ({ method, path }: BodyGate) => method === request.method && path.test(url.pathname);
        await gates.find(isHere)?.validate(request);
        const rule = bodyRule(request.method, url.pathname, api);
        if (rule.kind === 'unread' || rule.limit <= BODY_LIMIT) context.body = await readBody(request, rule);
        else {
          using upload = uploads.open(request);
          context.body = await readBody(request, rule, upload);
        }
      })
      .onParse({ as: 'global' }, ({ request }) => contextOf(request).body ?? null)
      // Never reached, as the parser above always answers: it tells the OpenAPI document what bodies are.
      .on({ as: 'global' }, 'parse', [{ fn: 'json' } as never])
      // Where a route has a schema for its query, the framework splits texts at commas and reads braces as JSON.
      .onTransform({ as: 'global' }, (context) => {
        const { url } = context.request;
        if (url.includes('?')) context.query = Object.fromEntries(new URL(url).searchParams);
      })
      .onError({ as: 'global' }, ({ request, set, error, code }) => {
        const answer = httpErrorFor(error, code);
        const { id } = contextOf(request);
        set.status = answer.status;
        Object.assign(set.headers, always, apiHeaders, { 'x-request-id': id }, answer.extra.headers);
        if (answer.status >= 500) logFailure(deps.logger, id, error, answer.status);
        if (answer.status === 429 && request.method === 'GET' && !isApi(new URL(request.url).pathname)) {
          Object.assign(set.headers, plainPageHeaders);
          return plainPage('Too many visits from here', tooManyVisits(answer.message));
        }
        const failure: Failure = {
          status: 'error',
          code: answer.code,
          message: answer.message,
          ref: id,
          ...(answer.extra.fields ? { fields: answer.extra.fields } : {}),
          ...answer.extra.payload,
        };
        return failure;
      })
      .onAfterResponse({ as: 'global' }, ({ request, route, set, responseValue }) => {
        logRequest(deps.logger, { request, route, set, responseValue });
        deps.requestSpans?.ended(request, answeredAs({ request, route, set, responseValue }));
      })
  );
}

/** Why a page is not shown, with a way to ask for it again. All of a network count as one visitor here. */
function tooManyVisits(message: string): string {
  return `<p>${escapeHtml(message)}</p>
<p>Others on your network count too, and may have opened many pages.</p>
<p><a href="">Try again</a></p>`;
}

/** Mail programs post from wherever they are: what they do is in the link, and no session is asked for. */
function isOneClick(pathname: string): boolean {
  return pathname.startsWith('/unsubscribe/');
}

/**
 * Refuses a form that another site's page sent. Browsers say where a post comes from in Sec-Fetch-Site or, older ones,
 * in Origin; what says neither is no browser and carries no session.
 */
export function assertOwnOrigin(headers: Headers, own: readonly string[]): void {
  const site = headers.get('sec-fetch-site');
  const from = headers.get('origin');
  const ours = site !== null ? site === 'same-origin' : from === null || own.includes(from);
  if (!ours) throw badRequest('This form was sent from another site');
}

/** Whether a path belongs to the API and not to the site. */
export function isApi(pathname: string): boolean {
  return pathname === '/api' || pathname.startsWith('/api/');
}

/** For answers that are no page: nothing may run, frame or load. */
export const DATA_CSP =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

/** Headers of every answer, errors included. Pages bring the CSP of their build (`pages.ts`). */
export function securityHeaders(config: Pick<Config, 'publicOrigin'>): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    // `no-referrer` would make browsers send `Origin: null` with our own forms.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    ...(config.publicOrigin.startsWith('https:')
      ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
      : {}),
  };
}

/** Added to every answer below `/api`. */
const apiHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': DATA_CSP,
  'cache-control': 'no-store',
};

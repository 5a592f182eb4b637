import { type } from 'arktype';
import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { HttpError, notFound } from '#api/http/answers.ts';
import { isAskedLocally } from '#api/http/asked-locally.ts';
import { assertAddress } from '#api/http/body/body-rules.ts';
import { contextOf } from '#api/http/request-context.ts';
import { addresseeOf, type EmbeddedMessage, outboxPage } from '#api/providers/outbox-page.ts';
import { outboxClosed } from './dev-access.ts';

/** The mail itself: its own styles, nothing else of its own, in a frame of ours alone. */
const MAIL_CSP = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-popups allow-popups-to-escape-sandbox',
].join('; ');

/** A message that the embedded mail or SMS took. */
type OutboxMessage = Readonly<{
  id: string;
  channel: 'mail' | 'sms';
  /** ISO 8601. */
  takenAt: string;
  to: string;
  subject?: string;
  text: string;
  html?: string;
}>;

/** What the pages show: the messages, newest first, or one of them. */
export type OutboxPageData = Readonly<{ outbox?: readonly OutboxMessage[]; outboxMessage?: OutboxMessage }>;

const Addressee = type({ 'to?': 'string' });

const onlyLocally = 'The outbox answers only to the names localhost, 127.0.0.1 and [::1]';

/**
 * GET /dev/outbox: what the embedded mail and SMS took, newest first · /dev/outbox/{id}: one message ·
 * /dev/outbox/{id}/html: its HTML alone, for a frame · /dev/outbox/messages.json?to= and /dev/outbox/newest.json for
 * scripts. Not in production, and for this machine alone: any other request is 404 with the reason.
 */
export function devOutbox(deps: Deps) {
  const page = outboxPage(deps.db, deps.config.keys);
  const closed = outboxClosed(deps.config);
  return new Elysia({ name: 'dev-outbox', prefix: '/dev/outbox' })
    .onTransform(({ request }) => {
      if (closed !== null) throw new HttpError('not-found', closed);
      if (!isAskedLocally(request)) throw new HttpError('not-found', onlyLocally);
      assertAddress(new URL(request.url));
    })
    .get('/', async ({ request }) =>
      render(deps, request, { outbox: (await page.list()).map((message) => viewOf(message)) }),
    )
    .get(
      '/messages.json',
      async ({ query, set }) => {
        set.headers['cache-control'] = 'no-store';
        const messages = await page.list(query.to === '' ? undefined : query.to);
        return { messages: messages.map((message) => viewOf(message)) };
      },
      { query: Addressee },
    )
    .get('/newest.json', async ({ set }) => {
      set.headers['cache-control'] = 'no-store';
      return { newest: await page.newest() };
    })
    .get('/:id', async ({ request, params }) => {
      const message = await page.find(params.id);
      return render(deps, request, message ? { outboxMessage: viewOf(message) } : {});
    })
    .get('/:id/html', async ({ params, set }) => {
      const message = await page.find(params.id);
      if (message?.channel !== 'mail') throw notFound();
      Object.assign(set.headers, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': MAIL_CSP,
        'x-frame-options': 'SAMEORIGIN',
        'cache-control': 'no-store',
      });
      return message.mail.html.replace('<head>', '<head><base target="_blank">');
    });
}

function render(deps: Deps, request: Request, locals: OutboxPageData): Promise<Response> {
  if (!deps.pages) throw notFound();
  return deps.pages(request, { clientAddress: contextOf(request).ip, locals });
}

function viewOf(message: EmbeddedMessage): OutboxMessage {
  const { id, channel, takenAt } = message;
  const common = { id, channel, takenAt: takenAt.toISOString(), to: addresseeOf(message) };
  return message.channel === 'mail'
    ? { ...common, subject: message.mail.subject, text: message.mail.text, html: message.mail.html }
    : { ...common, text: message.sms.text };
}

import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { ok } from '#api/http/errors.ts';
import { contextOf } from '#api/http/request-context.ts';
import { DemoRequest } from '#core/demo/shapes.ts';
import { requestDemo } from './request-demo.ts';

/**
 * POST /registration/demo { name, businessName, phone, email, reachTime } → { details }: what the visitor may be shown,
 * and nothing of what they typed. Needs the header `x-bot-check` with a ticket of the scope `demo`.
 */
export function demoRoutes(deps: Deps) {
  const take = requestDemo(deps);
  return new Elysia({ name: 'demo', prefix: '/registration' }).post(
    '/demo',
    async ({ body, request }) => {
      // A script filled in the field that people do not see: it is thanked like a prospect.
      if (body.website) deps.logger.info({ event: 'honeypot', id: contextOf(request).id });
      else await take(body, request);
      return ok({ details: { reachTime: body.reachTime } });
    },
    { body: DemoRequest },
  );
}

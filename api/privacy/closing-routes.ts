import { type } from 'arktype';
import { Elysia } from 'elysia';
import { createOwnerCheck } from '#api/accounts/credentials.ts';
import type { Deps } from '#api/deps.ts';
import { ok } from '#api/http/answers.ts';
import { auth } from '#api/http/auth.ts';
import { operation } from '#api/http/openapi/operation.ts';
import { closeBusiness, closingOf, keepBusinessOpen } from './close-business.ts';

const Asked = type({ '+': 'reject', currentPassword: 'string <= 1000' });

/**
 * GET /settings/closing → { closing } · POST … { currentPassword } → { closing }: the business goes in thirty days, with its account and
 * its jobs · DELETE … → { closing }: it stays open after all. 409 once that has begun, and for DELETE where the operator closes it.
 */
export function closingRoutes(deps: Deps) {
  const checkOwner = createOwnerCheck(deps);
  return new Elysia({ name: 'closing', prefix: '/settings/closing' })
    .use(auth(deps))
    .get('', async ({ session }) => ok({ closing: await closingOf(deps, session) }), {
      signedIn: true,
      detail: operation('Business', 'getClosing', 'Whether the business is to be closed', {
        description:
          '`jobs`: how many jobs have details of a customer. `closesAt` is null while the business stays open.',
      }),
    })
    .post(
      '',
      async ({ session, body, request }) => {
        await checkOwner(session, body.currentPassword, request);
        await closeBusiness(deps, session);
        return ok({ closing: await closingOf(deps, session) });
      },
      {
        signedIn: true,
        body: Asked,
        detail: operation('Business', 'closeBusiness', 'Closes the business in thirty days', {
          description:
            'Until then its public page is offline, and DELETE takes it back. The same again changes nothing. The owner is told by mail.',
        }),
      },
    )
    .delete(
      '',
      async ({ session }) => {
        await keepBusinessOpen(deps, session);
        return ok({ closing: await closingOf(deps, session) });
      },
      {
        signedIn: true,
        detail: operation('Business', 'keepBusinessOpen', 'Keeps the business open after all'),
      },
    );
}

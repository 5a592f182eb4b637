import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { badRequest, HttpError, ok } from '#api/http/answers.ts';
import { bearsSecret } from '#api/http/auth.ts';
import { idempotencyKey } from '#api/http/idempotency.ts';
import { operation } from '#api/http/openapi/operation.ts';
import { contextOf } from '#api/http/request-context.ts';
import { jobReference } from '#core/values/job-form.ts';
import { receiveWorkOrder, WorkOrder } from './work-order.ts';

/**
 * POST /work-orders → { id, reference }. For the product alone: `Authorization: Bearer <SERVICE_KEY>`, else 401, and an
 * `Idempotency-Key`, so that an order whose answer was lost can be sent again.
 */
export function workOrderRoutes(deps: Deps) {
  const { serviceKey } = deps.config.product;
  return new Elysia({ name: 'work-orders', prefix: '/work-orders' }).post(
    '/',
    async ({ body: order, request }) => {
      const key = idempotencyKey(request.headers);
      if (key === null) throw badRequest('Send an Idempotency-Key with every work order');
      const id = await receiveWorkOrder(deps, { order, key, correlation: contextOf(request).id });
      return ok({ id, reference: jobReference(id) });
    },
    {
      body: WorkOrder,
      // Before the body is looked at: a stranger learns nothing of what an order holds.
      transform: ({ request }) => {
        if (serviceKey && bearsSecret(request.headers, serviceKey)) return;
        throw new HttpError('wrong-credentials', 'Wrong service key', {
          headers: { 'www-authenticate': 'Bearer' },
        });
      },
      detail: operation('Intake', 'sendWorkOrder', 'Sends a job to a business', {
        access: 'service',
        headers: ['idempotency-key'],
        statuses: [401, 404],
      }),
    },
  );
}

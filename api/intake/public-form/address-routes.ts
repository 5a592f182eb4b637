import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { notFound } from '#api/http/http-errors.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { contextOf } from '#api/http/request-context.ts';
import { addressBook } from '#api/intake/addresses/address-book.ts';
import { findForm } from './find-form.ts';
import { hashSource } from './intake-limits.ts';

/** As many as one customer types; and for all customers of a form together, because some providers are paid by the call. */
const SOURCE = { name: 'public-address-source', points: 120, seconds: 600 };
const FORM = { name: 'public-address-form', points: 3_000, seconds: 3_600 };

/** GET /public-forms/{slug}/addresses?q,token and …/addresses/{id}?token: the suggestions of `/addresses`, for customers. */
export function publicFormAddressRoutes(deps: Deps) {
  const book = addressBook(deps);
  const bySource = sharedLimiter(deps, SOURCE);
  const byForm = sharedLimiter(deps, FORM);
  const throttle = async (slug: string, request: Request) => {
    const found = await findForm(deps, slug);
    if (!found) throw notFound();
    await bySource.consume(hashSource(contextOf(request).ip, deps.config.keys.botCheck));
    await byForm.consume(found.businessId);
  };
  return new Elysia({ name: 'public-form-addresses', prefix: '/public-forms/:slug/addresses' })
    .get('/', async ({ params, request, query }) => {
      await throttle(params.slug, request);
      return book.suggest(query);
    })
    .get('/:id', async ({ params, request, query }) => {
      await throttle(params.slug, request);
      return book.find(params.id, query);
    });
}

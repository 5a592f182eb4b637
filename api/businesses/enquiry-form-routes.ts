import { type } from 'arktype';
import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { ok } from '#api/http/answers.ts';
import { auth } from '#api/http/auth.ts';
import { idempotencyKey } from '#api/http/idempotency.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { operation } from '#api/http/openapi/operation.ts';
import { contextOf, markStaleReads } from '#api/http/request-context.ts';
import { maxQuestions } from '#core/enquiry-form/decider.ts';
import { customQuestionLength } from '#core/values/job-form.ts';
import { awaitReadModels } from './change-business.ts';
import {
  addQuestion,
  enquiryFormOf,
  FORM_READ_MODELS,
  formView,
  removeQuestion,
  rewordQuestion,
  tickQuestions,
  tradesView,
} from './change-enquiry-form.ts';

const Tick = type({ '+': 'reject', id: '1 <= string <= 100', enabled: 'boolean' });
const Ticks = type({ '+': 'reject', questions: Tick.array().atLeastLength(1).atMostLength(maxQuestions) });
/** `question` is judged as the form keeps it; four times its length is refused unread. */
const NewQuestion = type({
  '+': 'reject',
  trade: '1 <= string <= 100',
  question: `string <= ${customQuestionLength * 4}`,
  seq: '1 <= number.integer <= 1000',
});
const Words = type({ '+': 'reject', question: `string <= ${customQuestionLength * 4}` });
/** Whatever names no question of the form is an unknown one. */
const OwnQuestion = type({ id: 'string' });

const CHANGES = { name: 'form-account', points: 300, seconds: 600 };

/**
 * GET /form → { form } · PUT /form { questions: [{ id, enabled }] } → { form }, all ticks or none ·
 * POST /form { trade, question, seq } → { question }; with an `Idempotency-Key` a repeat adds nothing. `seq` is where the
 * client expects the question; the answer says where it is · PUT /form/questions/:id { question } → { form }, other words for
 * a question of the business's own, under a new id · DELETE /form/questions/:id → { form }, without it ·
 * GET /settings/trades → { trades }, those of the business.
 */
export function enquiryFormRoutes(deps: Deps) {
  const changes = sharedLimiter(deps, CHANGES);
  return new Elysia({ name: 'enquiry-form' })
    .use(auth(deps))
    .onBeforeHandle(markStaleReads(deps))
    .get('/form', async ({ session }) => ok({ form: formView(await enquiryFormOf(deps, session)) }), {
      signedIn: true,
      detail: operation('Business', 'getEnquiryForm', 'The questions of the enquiry form'),
    })
    .get(
      '/settings/trades',
      async ({ session }) => ok({ trades: tradesView(await enquiryFormOf(deps, session)) }),
      {
        signedIn: true,
        detail: operation('Business', 'listBusinessTrades', 'The trades of the business'),
      },
    )
    .put(
      '/form',
      async ({ session, body, request, set }) => {
        await changes.consume(session.accountId);
        const { form, position } = await tickQuestions(deps, session, body.questions, contextOf(request).id);
        await awaitReadModels(deps, FORM_READ_MODELS, position, set);
        return ok({ form: formView(form) });
      },
      {
        signedIn: true,
        body: Ticks,
        detail: operation('Business', 'changeEnquiryForm', 'Turns questions on and off', { statuses: [404] }),
      },
    )
    .post(
      '/form',
      async ({ session, body: { trade, question }, request, set }) => {
        const key = idempotencyKey(request.headers);
        await changes.consume(session.accountId);
        const asked = { trade, question, key };
        const { position, ...added } = await addQuestion(deps, session, asked, contextOf(request).id);
        await awaitReadModels(deps, FORM_READ_MODELS, position, set);
        return ok(added);
      },
      {
        signedIn: true,
        body: NewQuestion,
        detail: operation('Business', 'addQuestion', 'Adds a question', { headers: ['idempotency-key'] }),
      },
    )
    .put(
      '/form/questions/:id',
      async ({ session, params: { id }, body: { question }, request, set }) => {
        const key = idempotencyKey(request.headers);
        await changes.consume(session.accountId);
        const words = { id, question, key };
        const { form, position } = await rewordQuestion(deps, session, words, contextOf(request).id);
        await awaitReadModels(deps, FORM_READ_MODELS, position, set);
        return ok({ form: formView(form) });
      },
      {
        signedIn: true,
        params: OwnQuestion,
        body: Words,
        detail: operation(
          'Business',
          'rewordQuestion',
          'Gives a question of one’s own other words, under a new id',
          { headers: ['idempotency-key'], statuses: [404] },
        ),
      },
    )
    .delete(
      '/form/questions/:id',
      async ({ session, params: { id }, request, set }) => {
        await changes.consume(session.accountId);
        const { form, position } = await removeQuestion(deps, session, id, contextOf(request).id);
        await awaitReadModels(deps, FORM_READ_MODELS, position, set);
        return ok({ form: formView(form) });
      },
      {
        signedIn: true,
        params: OwnQuestion,
        detail: operation(
          'Business',
          'removeQuestion',
          'Removes a question of one’s own; answers to it stay with their jobs',
          { statuses: [404] },
        ),
      },
    );
}

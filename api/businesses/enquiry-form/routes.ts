import { type } from 'arktype';
import { Elysia } from 'elysia';
import { awaitReadModels } from '#api/businesses/await-read-models.ts';
import type { Deps } from '#api/deps.ts';
import { auth } from '#api/http/auth.ts';
import { ok } from '#api/http/envelope.ts';
import { idempotencyKey } from '#api/http/idempotency.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { contextOf, type Session } from '#api/http/request-context.ts';
import { markStaleReads } from '#api/http/stale-reads.ts';
import { maxQuestions } from '#core/enquiry-form/decider.ts';
import type { EnquiryFormState } from '#core/enquiry-form/state.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { customQuestionLength } from '#core/values/job-form.ts';
import { getEnquiryForm } from '#projections/public-form/read.ts';
import { changeForm, FORM_READ_MODELS } from './change-form.ts';
import { formView, questionView, tradesView } from './views.ts';

const Tick = type({ '+': 'reject', id: '1 <= string <= 100', enabled: 'boolean' });
const Ticks = type({ '+': 'reject', questions: Tick.array().atLeastLength(1).atMostLength(maxQuestions) });
/** `question` is judged as the form keeps it; four times its length is refused unread. */
const NewQuestion = type({
  '+': 'reject',
  trade: '1 <= string <= 100',
  question: `string <= ${customQuestionLength * 4}`,
  seq: '1 <= number.integer <= 1000',
});

const CHANGES = { name: 'form-account', points: 300, seconds: 600 };

/**
 * GET /form → { form } · PUT /form { questions: [{ id, enabled }] } → { form }, all ticks or none ·
 * POST /form { trade, question, seq } → { question }; with an `Idempotency-Key` a repeat adds nothing. `seq` is where the
 * client expects the question; the answer says where it is · GET /settings/trades → { trades }, those of the business.
 */
export function enquiryFormRoutes(deps: Deps) {
  const changes = sharedLimiter(deps, CHANGES);
  const formOf = async ({ businessId }: Session) => required(await getEnquiryForm(deps.db, businessId));
  return new Elysia({ name: 'enquiry-form' })
    .use(auth(deps))
    .onBeforeHandle(markStaleReads(deps))
    .get('/form', async ({ session }) => ok({ form: formView(await formOf(session)) }), { signedIn: true })
    .get('/settings/trades', async ({ session }) => ok({ trades: tradesView(await formOf(session)) }), {
      signedIn: true,
    })
    .put(
      '/form',
      async ({ session, body, request, set }) => {
        await changes.consume(session.accountId);
        const { businessId } = session;
        const at = deps.now().toISOString();
        const commands = body.questions.map(({ id: questionId, enabled }) => {
          const type = enabled ? 'EnableQuestion' : 'DisableQuestion';
          return { type, at, data: { businessId, questionId } } as const;
        });
        const { form, position } = await changeForm(deps, session, commands, contextOf(request).id);
        await awaitReadModels(deps, FORM_READ_MODELS, position, set);
        return ok({ form: formView(form) });
      },
      { signedIn: true, body: Ticks },
    )
    .post(
      '/form',
      async ({ session, body, request, set }) => {
        const key = idempotencyKey(request.headers);
        await changes.consume(session.accountId);
        const { businessId } = session;
        const { trade, question } = body;
        const questionId = key === null ? deps.newId() : uuidV5(businessId, `question ${key}`);
        const data = { businessId, questionId, trade, question };
        const command = { type: 'AddQuestion', at: deps.now().toISOString(), data } as const;
        const { form, position } = await changeForm(deps, session, [command], contextOf(request).id);
        await awaitReadModels(deps, FORM_READ_MODELS, position, set);
        const added = form.questions.find(({ id }) => id === questionId);
        if (!added) throw new Error('the question that was added is not in the form');
        return ok({ question: questionView(form, added) });
      },
      { signedIn: true, body: NewQuestion },
    );
}

function required(form: EnquiryFormState): NonNullable<EnquiryFormState> {
  if (form === null) throw new NotFoundError('Form not found');
  return form;
}

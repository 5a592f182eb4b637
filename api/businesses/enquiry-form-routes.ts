import { type } from 'arktype';
import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { ok } from '#api/http/answers.ts';
import { auth } from '#api/http/auth.ts';
import { idempotencyKey } from '#api/http/idempotency.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { contextOf, markStaleReads, type Session } from '#api/http/request-context.ts';
import { type EnquiryFormCommand, enquiryFormDecider, maxQuestions } from '#core/enquiry-form/decider.ts';
import type { FormQuestion } from '#core/enquiry-form/standard-questions.ts';
import { type EnquiryFormState, questionsInOrder } from '#core/enquiry-form/state.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import type { Position } from '#core/event-store/port.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { batchDecider } from '#core/kernel/decider.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { customQuestionLength } from '#core/values/job-form.ts';
import { findTrade, type Trade } from '#core/values/trade-catalogue.ts';
import { getEnquiryForm } from '#projections/public-form/read.ts';
import { awaitReadModels } from './change-business.ts';

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

/** What a change of a form is awaited in before it is answered. */
const FORM_READ_MODELS = ['public-form'];

type ChangedForm = Readonly<{ form: NonNullable<EnquiryFormState>; position: Position }>;

/**
 * Several changes of the signed-in tradie's own form, in order, all or none. Answers the form as the log has it.
 * Throws what its decider throws.
 */
async function changeForm(
  deps: Pick<Deps, 'store' | 'newId' | 'now'>,
  { accountId, businessId }: Session,
  commands: readonly EnquiryFormCommand[],
  correlation: string,
): Promise<ChangedForm> {
  const { state, position } = await handleCommand(
    deps.store,
    batchDecider(enquiryFormDecider),
    streamName('enquiryForm', businessId),
    { type: 'Batch', at: deps.now().toISOString(), data: { commands } },
    { commandId: deps.newId(), actor: `account:${accountId}`, correlation },
  );
  if (state === null) throw new NotFoundError('Form not found');
  return { form: state, position };
}

type Form = NonNullable<EnquiryFormState>;

/** A question as its owner sees it. `tradie` is the business where the question is its own. */
export type QuestionView = Readonly<
  Omit<FormQuestion, 'trade' | 'own' | 'field'> & { tradie: string | null; trade: { id: string } | null }
>;

/** The whole form, in the order in which it is shown. */
function formView(form: Form): { questions: QuestionView[] } {
  return { questions: questionsInOrder(form).map((question) => questionView(form, question)) };
}

function questionView({ businessId }: Form, question: FormQuestion): QuestionView {
  const { own, trade, field: _, ...shown } = question;
  return { ...shown, tradie: own ? businessId : null, trade: trade === null ? null : { id: trade } };
}

/** The trades of a business, with all that its people do; one that is no longer offered keeps its id for a name. */
function tradesView({ trades }: Pick<Form, 'trades'>): Omit<Trade, 'people'>[] {
  return [...new Set(trades)].map((id) => {
    const { name, specialties } = findTrade(id) ?? { name: id, specialties: [] };
    return { id, name, specialties };
  });
}

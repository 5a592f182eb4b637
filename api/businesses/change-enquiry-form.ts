import type { Deps } from '#api/deps.ts';
import type { Session } from '#api/http/request-context.ts';
import { type EnquiryFormCommand, enquiryFormDecider } from '#core/enquiry-form/decider.ts';
import type { FormQuestion } from '#core/enquiry-form/standard-questions.ts';
import { type EnquiryFormState, questionsInOrder } from '#core/enquiry-form/state.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import type { Position } from '#core/event-store/port.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { batchDecider } from '#core/kernel/decider.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { findTrade, type Trade } from '#core/values/trade-catalogue.ts';
import { getEnquiryForm } from '#projections/public-form/read.ts';

/** What a change of a form is awaited in before it is answered. */
export const FORM_READ_MODELS = ['public-form'];

type FormDeps = Pick<Deps, 'store' | 'newId' | 'now'>;
type ChangedForm = Readonly<{ form: NonNullable<EnquiryFormState>; position: Position }>;

/**
 * Several changes of the signed-in tradie's own form, in order, all or none. Answers the form as the log has it.
 * Throws what its decider throws.
 */
export async function changeForm(
  deps: FormDeps,
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

/** Turns questions on and off, all or none. Throws what its decider throws. */
export function tickQuestions(
  deps: FormDeps,
  session: Session,
  ticks: readonly Readonly<{ id: string; enabled: boolean }>[],
  correlation: string,
): Promise<ChangedForm> {
  const at = deps.now().toISOString();
  const commands = ticks.map(({ id: questionId, enabled }) => {
    const type = enabled ? 'EnableQuestion' : 'DisableQuestion';
    return { type, at, data: { businessId: session.businessId, questionId } } as const;
  });
  return changeForm(deps, session, commands, correlation);
}

type NewQuestion = Readonly<{ trade: string; question: string; key: string | null }>;

/** Adds a question of the business's own; with a `key` a repeat adds nothing and answers the same one. Throws what its decider throws. */
export async function addQuestion(
  deps: FormDeps,
  session: Session,
  { trade, question, key }: NewQuestion,
  correlation: string,
): Promise<Readonly<{ question: QuestionView; position: Position }>> {
  const { businessId } = session;
  const questionId = key === null ? deps.newId() : uuidV5(businessId, `question ${key}`);
  const data = { businessId, questionId, trade, question };
  const command = { type: 'AddQuestion', at: deps.now().toISOString(), data } as const;
  const { form, position } = await changeForm(deps, session, [command], correlation);
  const added = form.questions.find(({ id }) => id === questionId);
  if (!added) throw new Error('the question that was added is not in the form');
  return { question: questionView(form, added), position };
}

type Reworded = Readonly<{ id: string; question: string; key: string | null }>;

/** Gives a question of the business's own other words; with a `key` a repeat changes nothing. Throws what its decider throws. */
export function rewordQuestion(
  deps: FormDeps,
  session: Session,
  { id: questionId, question, key }: Reworded,
  correlation: string,
): Promise<ChangedForm> {
  const { businessId } = session;
  // A key gives each question that it rewords an id of its own, and none that it gave to a question that it added.
  const newId = key === null ? deps.newId() : uuidV5(businessId, `other words of ${questionId} ${key}`);
  const data = { businessId, questionId, newId, question };
  const command = { type: 'RewordQuestion', at: deps.now().toISOString(), data } as const;
  return changeForm(deps, session, [command], correlation);
}

/** Removes a question of the business's own; again changes nothing. Throws what its decider throws. */
export function removeQuestion(
  deps: FormDeps,
  session: Session,
  questionId: string,
  correlation: string,
): Promise<ChangedForm> {
  const data = { businessId: session.businessId, questionId };
  const command = { type: 'RemoveQuestion', at: deps.now().toISOString(), data } as const;
  return changeForm(deps, session, [command], correlation);
}

type Form = NonNullable<EnquiryFormState>;

/** The form of a business, as it is read. Throws NotFoundError for a business without one. */
export async function enquiryFormOf({ db }: Pick<Deps, 'db'>, { businessId }: Session): Promise<Form> {
  const form = await getEnquiryForm(db, businessId);
  if (form === null) throw new NotFoundError('Form not found');
  return form;
}

/** A question as its owner sees it. `tradie` is the business where the question is its own. */
export type QuestionView = Readonly<
  Omit<FormQuestion, 'trade' | 'own' | 'field'> & { tradie: string | null; trade: { id: string } | null }
>;

/** The whole form, in the order in which it is shown. */
export function formView(form: Form): { questions: QuestionView[] } {
  return { questions: questionsInOrder(form).map((question) => questionView(form, question)) };
}

function questionView({ businessId }: Form, question: FormQuestion): QuestionView {
  const { own, trade, field: _, ...shown } = question;
  return { ...shown, tradie: own ? businessId : null, trade: trade === null ? null : { id: trade } };
}

/** The trades of a business, with all that its people do; one that is no longer offered keeps its id for a name. */
export function tradesView({ trades }: Pick<Form, 'trades'>): Omit<Trade, 'people'>[] {
  return [...new Set(trades)].map((id) => {
    const { name, specialties } = findTrade(id) ?? { name: id, specialties: [] };
    return { id, name, specialties };
  });
}
